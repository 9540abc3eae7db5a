import type { Clock } from './clock.ts';
import { emojiOf } from './emoji.ts';
import { element, safeAddress, type Content } from './markup.ts';
import { slackDate } from './slack-date.ts';

/** The options for parsing mrkdwn. */
export interface MrkdwnOptions {
  readonly clock: Clock;
  /** Whether plain URLs stay plain text. Default false. */
  readonly verbatim?: boolean;
}

/**
 * A text in Slack's mrkdwn as its readers see it (docs.slack.dev/messaging/formatting-message-text). There is no markup for lists; their
 * bullets are characters.
 */
export function mrkdwn(text: string, options: MrkdwnOptions): Content[] {
  // Every second part is the content between two fences.
  return text.split(/```\n?([^]+?)```\n?/).map((part, index) => {
    return index % 2 === 1 ? element('pre', {}, decoded(part)) : quoted(part, options);
  });
}

/** Lines that begin with `>` are a quote, and everything after `>>>`. */
function quoted(text: string, options: MrkdwnOptions): Content[] {
  const rest = /(?:^|\n)(?:&gt;|>){3} ?/.exec(text);
  if (rest !== null) {
    const before = text.slice(0, rest.index);
    const after = text.slice(rest.index + rest[0].length);
    return [...quoted(before, options), element('blockquote', {}, inline(after, options))];
  }
  const parts = text.split(/((?:^(?:&gt;|>).*(?:\n|$))+)/m);
  return parts.map((part, index) => {
    if (index % 2 === 0) return inline(part, options);
    const lines = part.replace(/\n$/, '').replace(/^(?:&gt;|>) ?/gm, '');
    return element('blockquote', {}, inline(lines, options));
  });
}

interface Rule {
  readonly pattern: RegExp;
  readonly show: (match: RegExpExecArray, options: MrkdwnOptions) => Content;
}

/** The element that begins first counts. */
const RULES: readonly Rule[] = [
  { pattern: /`([^`\n]+)`/g, show: ([, code = '']) => element('code', {}, decoded(code)) },
  { pattern: /<([^<>\n]+)>/g, show: ([whole, inside = ''], options) => brackets(whole, inside, options) },
  { pattern: style('\\*'), show: ([, inside = ''], options) => element('b', {}, inline(inside, options)) },
  { pattern: style('_'), show: ([, inside = ''], options) => element('i', {}, inline(inside, options)) },
  { pattern: style('~'), show: ([, inside = ''], options) => element('s', {}, inline(inside, options)) },
  {
    pattern: /:(?=[0-9_]*[a-z+-])([a-z0-9_+-]+):/g,
    show: ([whole, name = '']) => emojiOf(name) ?? element('span', { class: 'unknown' }, whole),
  },
  {
    pattern: /\bhttps?:\/\/[^\s<>|"'`]*[^\s<>|"'`.,;:!?)\]}*_~]/g,
    show: ([address], { verbatim }) =>
      verbatim === true ? decoded(address) : anchor(decoded(address), decoded(address)),
  },
];

/** Styles begin and end at the borders of words and stay on their line. */
function style(mark: string): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\p{N}${mark}])${mark}(?![\\s${mark}])([^\\n${mark}]*[^\\s${mark}])${mark}(?![\\p{L}\\p{N}${mark}])`,
    'gu',
  );
}

function inline(text: string, options: MrkdwnOptions): Content[] {
  const parts: Content[] = [];
  const next = RULES.map(({ pattern }) => first(pattern, text, 0));
  let at = 0;
  for (;;) {
    let best: RegExpExecArray | undefined;
    let rule: Rule | undefined;
    for (const [index, each] of RULES.entries()) {
      let match = next[index];
      if (match !== undefined && match.index < at) match = next[index] = first(each.pattern, text, at);
      if (match !== undefined && match.index < (best?.index ?? Infinity)) [best, rule] = [match, each];
    }
    if (best === undefined || rule === undefined) return [...parts, decoded(text.slice(at))];
    parts.push(decoded(text.slice(at, best.index)), rule.show(best, options));
    at = best.index + best[0].length;
  }
}

function first(pattern: RegExp, text: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text) ?? undefined;
}

/** The meaning of `<…>`. Unknown content stays text. */
function brackets(whole: string, inside: string, { clock }: MrkdwnOptions): Content {
  const bar = inside.indexOf('|');
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? undefined : decoded(inside.slice(bar + 1));
  const [, unix, format, url] = /^!date\^(-?\d{1,17})\^([^^]+)(?:\^(.+))?$/.exec(target) ?? [];
  if (unix !== undefined && format !== undefined && label !== undefined) {
    const shown = slackDate(decoded(format), Number(unix), clock);
    const time = element('time', { title: label }, shown === '' ? label : shown);
    return url === undefined ? time : anchor(decoded(url), time);
  }
  const [, kind, name = ''] = /^([@#!])(?:subteam\^)?([A-Za-z0-9_-]+)$/.exec(target) ?? [];
  if (kind !== undefined) {
    const everyone = kind === '!' && /^(?:channel|here|everyone|group)$/.test(name);
    const sign = kind === '#' ? '#' : '@';
    const known = label?.replace(/^[@#]/, '') ?? name;
    return element('span', { class: everyone ? 'mention everyone' : 'mention' }, sign + known);
  }
  return safeAddress(target) === undefined
    ? decoded(whole)
    : anchor(decoded(target), label ?? decoded(target));
}

/** A link. If its URL could run a script, only its label. */
export function anchor(url: string, ...shown: readonly Content[]): Content {
  const href = safeAddress(url);
  return href === undefined ? shown : element('a', { href }, ...shown);
}

/** The three characters that senders escape. */
function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
