/** Output of templates that receivers take, and that readers cannot understand. */
import type { Source } from './context.ts';

/**
 * Who reads the output. `slack`: mrkdwn. `json`: the JSON of a message or of a webhook. `plain`: nobody knows: it is shown as it is, or as
 * HTML.
 */
export type Reading = 'slack' | 'json' | 'HTML' | 'MarkdownV2' | 'plain';

/** A sign of a mistake in an output. */
export interface Doubt {
  /** Of the output, from 1. */
  readonly line: number;
  /** What stands there, and what to write instead. */
  readonly what: string;
}

interface Sign {
  readonly pattern: RegExp;
  readonly what: string;
  /** Default: all. */
  readonly in?: readonly Reading[];
  /** A key that is missing has better words. Default: it is none. */
  readonly isMissing?: true;
}

const MARKDOWN_BOLD = /(?<![*`])\*\*[^\s*`](?:[^*`\n]*[^\s*`])?\*\*(?![*`])/;
const MARKDOWN_LINK = /\[[^[\]\n]+\]\(https?:\/\/[^()\s]+\)/;

/** In the order in which they are looked for: the first one is reported. */
const SIGNS: readonly Sign[] = [
  {
    pattern: /(?:<|&lt;|\\u003c)no value(?:>|&gt;|\\u003e)/,
    what: 'stands for a value that is missing; write {{ with … }}{{ . }}{{ end }} around it, or add | default "none"',
    isMissing: true,
  },
  {
    pattern: /(?:<|&lt;|\\u003c)nil(?:>|&gt;|\\u003e)/,
    what: 'stands for a value that is missing; test it first with {{ with … }}',
  },
  {
    pattern: /%![^\s(]?\(/,
    what: 'is an error of printf; use %s for texts, %d for whole numbers, %v for any value, and as many verbs as values',
  },
  { pattern: /\bmap\[/, what: 'is a map printed whole; name a key of it, or use {{ range }}' },
  {
    // As Go prints a struct of a target.
    pattern: /\{[\w.-]+ \w* (?:Pending|Running|Completed|Failed|Aborted)(?= )/,
    what: 'is a target printed whole; name its fields, within {{ range .Targets }}',
  },
  {
    // Not in a word.
    pattern:
      /(?<![A-Za-z])(?:YYYY|yyyy)(?:[-/.]?(?:MM|DD|dd))+(?![A-Za-z])|(?<![A-Za-z])(?:DD|dd|MM)[-/.](?:MM|DD|dd)[-/.](?:YY|yy)+(?![A-Za-z])|(?<![A-Za-z])[Hh]{2}:(?:mm|MM)(?![A-Za-z])|%Y-%m-%d|%d[-/.]%m[-/.]%[Yy]|%H:%M/,
    what: 'is a layout of another language, shown as it is; give date a layout of Go: 2006-01-02 for a date, 15:04 for a time',
  },
  {
    // Not in a path such as `C:\new\temp`. Without its longest length, each mark would be searched back to the beginning.
    pattern: /(?<![\\/:]|:\\\S{0,260})\\[nt]/,
    what: 'is shown as it is; break the line in the template, or write {{ "\\n" }}',
    in: ['slack', 'HTML', 'MarkdownV2'],
  },
  {
    pattern: /&(?!(?:lt|gt|amp);)(?:[a-zA-Z][a-zA-Z\d]{1,30}|#\d{1,4}|#x[\da-fA-F]{1,4});/,
    what: 'is HTML, and Slack shows it as it is; use escapeSlack instead of escapeHTML',
    in: ['slack'],
  },
  {
    pattern: /&(?:[a-zA-Z][a-zA-Z\d]{1,30}|#\d{1,4}|#x[\da-fA-F]{1,4});/,
    what: 'is HTML, and MarkdownV2 shows it as it is; use escapeMarkdown instead of escapeHTML',
    in: ['MarkdownV2'],
  },
  {
    // https://core.telegram.org/bots/api#html-style
    pattern: /&(?!(?:lt|gt|amp|quot);)[a-zA-Z][a-zA-Z\d]{1,30};/,
    what: 'is shown as it is: Telegram knows &lt;, &gt;, &amp;, &quot; and numbers such as &#160; alone; write the character itself',
    in: ['HTML'],
  },
  {
    pattern: /&amp;(?:lt|gt|amp|quot|#\d{1,4});/,
    what: 'is escaped twice; escape each value once',
    in: ['slack', 'HTML'],
  },
  {
    pattern: MARKDOWN_BOLD,
    what: 'is shown with its stars; write one star on each side for bold',
    in: ['slack'],
  },
  {
    pattern: MARKDOWN_BOLD,
    what: 'is shown with its stars; write <b>…</b> for bold',
    in: ['HTML'],
  },
  {
    pattern: MARKDOWN_LINK,
    what: 'is a link of Markdown, and shown as it is; write <https://…|text>',
    in: ['slack'],
  },
  {
    pattern: MARKDOWN_LINK,
    what: 'is a link of Markdown, and shown as it is; write <a href="https://…">text</a>',
    in: ['HTML'],
  },
  {
    pattern: /<\/?(?:b|i|u|s|em|strong|code|pre|br|p|a|div|span)(?:\s[^<>]*)?\/?>/,
    what: 'is HTML, which Slack does not read; write *bold*, _italic_, `code` or <https://…|text>',
    in: ['slack'],
  },
];

/** Any sign: most outputs have none, and one test is fast. */
const SUSPECT =
  /no value|nil|\{[\w.-]+ \w* [PRCFA]|%\\?[!YdH]|map\\?\[|\\[nt]|&|YY|yy|[Hh]{2}:[mM]{2}|\*\*|\]\(http|<\/?[a-z]+[\s/>]/;

/** Facts about an output that its text does not have. */
export interface OutputOrigin {
  /** What to say of a missing value instead, where more is known of it. Default: nothing. */
  readonly missing?: () => string | undefined;
  /** All texts of the event: a sign that stands in one of them is no mistake of the template. Default: none. */
  readonly data?: () => string;
}

/** All texts of an event that a template may show. */
export const textsOf = ({ event, plan }: Source): string =>
  [
    ...[event.plan, event.namespace, event.cycle, event.operation, event.phase, event.errorMessage],
    ...event.targets.flatMap(({ name, executor, state, message }) => [name, executor, state, message]),
    ...Object.entries({ ...plan.labels, ...plan.annotations }).flat(),
  ].join('\n');

/** The beginning of an output that is looked at, in UTF-16 units. No chat shows more. */
const LOOKED_AT = 1 << 16;

/** The first sign of a mistake; undefined: there is none in the first 65,536 characters. */
export function doubtOf(
  whole: string,
  reading: Reading,
  { missing = () => undefined, data = () => '' }: OutputOrigin = {},
): Doubt | undefined {
  const output = whole.slice(0, LOOKED_AT);
  if (!SUSPECT.test(output)) return undefined;
  // Escaped, `%!d(` is `%\!d\(`.
  const text = reading === 'MarkdownV2' ? output.replace(/\\(?=[^\w\s])/g, '') : output;
  for (const { pattern, what, in: readings, isMissing } of SIGNS) {
    if (readings !== undefined && !readings.includes(reading)) continue;
    const found = pattern.exec(text);
    if (found === null || isIn(data(), found[0])) continue;
    const line = text.slice(0, found.index).split('\n').length;
    return { line, what: `${excerpt(text, found)} ${(isMissing && missing()) ?? what}` };
  }
  return undefined;
}

/** Whether a text has what was found, as it is or before it was escaped. */
const isIn = (texts: string, found: string): boolean =>
  texts.includes(found) || texts.includes(found.replaceAll('&amp;', '&'));

/** What was found, with the rest of an error of printf. */
function excerpt(text: string, { 0: found, index }: RegExpExecArray): string {
  if (!found.startsWith('%!')) return found;
  const [whole = found] = /^[^)\n]{0,40}\)?/.exec(text.slice(index)) ?? [];
  return whole;
}

/** A doubt as a sentence about a template. */
export const doubtInWords = (template: string, { line, what }: Doubt): string =>
  `the output of template ${template}, line ${line}: ${what}`;
