/** What stands in a text besides styles. */
export type Special =
  /** Pings users: `!channel`, `!here`, `!everyone`, `!subteam^S…`, `@U…`. */
  | { readonly kind: 'mention'; readonly who: string; readonly label?: string }
  /** `label` is the visible text. `auto`: Slack found it in a plain URL. */
  | { readonly kind: 'link'; readonly url: string; readonly label: string; readonly auto: boolean }
  | { readonly kind: 'channel'; readonly id: string; readonly label?: string }
  | {
      readonly kind: 'date';
      readonly unix: number;
      readonly format: string;
      readonly fallback: string;
      readonly url: string | undefined;
    }
  /** A shortcode that Slack shows as an emoji, if the workspace has it. */
  | { readonly kind: 'emoji'; readonly name: string }
  /** Angle brackets with unknown content, such as a date without its fallback. */
  | { readonly kind: 'broken'; readonly text: string };

/** `at` is a JSON pointer into the message. */
export type Entity = Special & { readonly at: string };
export type EntityKind = Entity['kind'];

/** A part of a text as its readers see it. Texts are unescaped. */
export type Piece =
  | Special
  | { readonly kind: 'text' | 'code' | 'fence'; readonly text: string }
  | { readonly kind: 'bold' | 'italic' | 'strike' | 'quote'; readonly inside: readonly Piece[] };

/** How a text is read. */
export interface Reading {
  /** Bare addresses and e-mail addresses become links. */
  readonly links: boolean;
  /** `@channel`, `@here` and `@everyone` ping without angle brackets. */
  readonly names: boolean;
  readonly emoji: boolean;
}

/**
 * The entities of a text in Slack's mrkdwn. Code is parsed like other text: it is not documented whether a mention pings there.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export function entitiesOf(text: string, at: string, reading: Reading): Entity[] {
  const found: Entity[] = [];
  let rest = '';
  let end = 0;
  for (const match of text.matchAll(/<([^<>\n]+)>/g)) {
    rest += `${text.slice(end, match.index)}\n`;
    end = match.index + match[0].length;
    found.push({ ...ofBrackets(match[1] ?? ''), at });
  }
  rest += text.slice(end);
  if (reading.links) found.push(...bareLinks(rest, at));
  if (reading.names)
    for (const [, who = ''] of rest.matchAll(/(?<![\w.])@(channel|here|everyone)\b/g))
      found.push({ kind: 'mention', who: `!${who}`, at });
  if (reading.emoji) found.push(...shortcodes(rest, at));
  return found;
}

/** The meaning of `<…>`. */
function ofBrackets(inside: string): Special {
  const bar = inside.indexOf('|');
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? undefined : decoded(inside.slice(bar + 1));
  const named = label ? { label } : {};
  if (/^(?:@[UW][A-Z0-9]+|!(?:channel|here|everyone|group)|!subteam\^S[A-Z0-9]+)$/.test(target))
    return { kind: 'mention', who: target, ...named };
  if (/^#[CG][A-Z0-9]+$/.test(target)) return { kind: 'channel', id: target.slice(1), ...named };
  const [, unix, format, url] = /^!date\^(-?\d{1,17})\^([^^]+)(?:\^(.+))?$/.exec(target) ?? [];
  // The fallback is mandatory.
  if (unix !== undefined && format !== undefined && label)
    return {
      kind: 'date',
      unix: Number(unix),
      format: decoded(format),
      fallback: label,
      url: url && decoded(url),
    };
  // Slack takes any scheme, and an address without one.
  if (!/^[!@#]/.test(target) && /^([a-z][a-z0-9+.-]*:|[\w-]+(\.[\w-]+)+)/i.test(target))
    return { kind: 'link', url: decoded(target), label: label ?? decoded(target), auto: false };
  return { kind: 'broken', text: `<${inside}>` };
}

/**
 * A text as Slack stores it, and gives it back: what has no meaning in angle brackets is escaped, as senders should have done.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export function storedText(text: string): string {
  const parts = text.split(/(<[^<>\n]+>)/);
  return parts.map((part, index) => (index % 2 === 1 && hasMeaning(part) ? part : escaped(part))).join('');
}

const hasMeaning = (brackets: string): boolean => ofBrackets(brackets.slice(1, -1)).kind !== 'broken';

const escaped = (text: string): string =>
  text
    .replace(/&(?!(?:amp|lt|gt);)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

const ADDRESS = /\b(?:https?:\/\/|mailto:|slack:\/\/)[^\s<>|"'`]*[^\s<>|"'`.,;:!?)\]}*_~]/gi;
// Repetitions are bounded, so no text takes long.

/** Some of the top-level domains with which a word becomes a link. */
const DOMAIN =
  /(?<![\w@./-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,10}(?:com|net|org|io|dev|app|ai|co|cloud|info|biz|edu|gov|de|uk|eu|fr|jp|us|me|tv|xyz|sh)(?![\w-]|\.\w)(?:\/[^\s<>|"'`]*[^\s<>|"'`.,;:!?)\]}*_~])?/gi;
const MAIL = /(?<![\w.+-])[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,63}\b/gi;

function bareLinks(text: string, at: string): Entity[] {
  const links: Entity[] = [];
  const add = (label: string, url: string): string => {
    links.push({ kind: 'link', url: decoded(url), label: decoded(label), auto: true, at });
    return '\n';
  };
  text
    .replace(ADDRESS, (found) => add(found, found))
    .replace(MAIL, (found) => add(found, `mailto:${found}`))
    .replace(DOMAIN, (found) => add(found, `http://${found}`));
  return links;
}

/** `:name:`, but not the middle of a time such as 20:03:05. */
export function shortcodes(text: string, at: string): Entity[] {
  const names = [...text.matchAll(/:([a-z0-9_'+-]+)(?=:)/gi)].map((match) => match[1] ?? '');
  return names
    .filter((name) => /[a-z]/i.test(name) || name === '+1' || name === '-1')
    .map((name) => ({ kind: 'emoji', name, at }));
}

/** The three characters that senders must escape, as the reader sees them. */
function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/**
 * The parts of a text. There is no markup for lists; their bullets are characters. `emphasis`: whether styles, code and quotes are read
 * (default true).
 */
export function piecesOf(text: string, emphasis = true): Piece[] {
  if (!emphasis) return inline(text, SPECIAL_RULES);
  // Every second part is the content between two fences.
  return text.split(/```\n?([^]+?)```\n?/).flatMap((part, index): Piece[] => {
    return index % 2 === 1 ? [{ kind: 'fence', text: decoded(part) }] : quoted(part);
  });
}

/** Lines that begin with `>` are a quote, and everything after `>>>`. */
function quoted(text: string): Piece[] {
  const rest = /(?:^|\n)(?:&gt;|>){3} ?/.exec(text);
  if (rest !== null) {
    const after = text.slice(rest.index + rest[0].length);
    return [...quoted(text.slice(0, rest.index)), { kind: 'quote', inside: inline(after) }];
  }
  return text.split(/((?:^(?:&gt;|>).*(?:\n|$))+)/m).flatMap((part, index): Piece[] => {
    if (index % 2 === 0) return inline(part);
    return [{ kind: 'quote', inside: inline(part.replace(/\n$/, '').replace(/^(?:&gt;|>) ?/gm, '')) }];
  });
}

interface Rule {
  readonly pattern: RegExp;
  readonly piece: (inside: string) => Piece;
}

/** Styles begin and end at the borders of words and stay on their line. */
const style = (mark: string, kind: 'bold' | 'italic' | 'strike'): Rule => ({
  pattern: new RegExp(
    `(?<![\\p{L}\\p{N}${mark}])${mark}(?![\\s${mark}])([^\\n${mark}]*[^\\s${mark}])${mark}(?![\\p{L}\\p{N}${mark}])`,
    'gu',
  ),
  piece: (inside) => ({ kind, inside: inline(inside) }),
});

const SPECIAL_RULES: readonly Rule[] = [
  { pattern: /<([^<>\n]+)>/g, piece: ofBrackets },
  { pattern: /:(?=[0-9_]*[a-z+-])([a-z0-9_+-]+):/g, piece: (name) => ({ kind: 'emoji', name }) },
];
const RULES: readonly Rule[] = [
  { pattern: /`([^`\n]+)`/g, piece: (code) => ({ kind: 'code', text: decoded(code) }) },
  style('\\*', 'bold'),
  style('_', 'italic'),
  style('~', 'strike'),
  ...SPECIAL_RULES,
  {
    pattern: /\b(https?:\/\/[^\s<>|"'`]*[^\s<>|"'`.,;:!?)\]}*_~])/g,
    piece: (url) => ({ kind: 'link', url: decoded(url), label: decoded(url), auto: true }),
  },
];

/** The piece that begins first counts. */
function inline(text: string, rules = RULES): Piece[] {
  const pieces: Piece[] = [];
  const plain = (from: number, to?: number): void => {
    if (from < (to ?? text.length)) pieces.push({ kind: 'text', text: decoded(text.slice(from, to)) });
  };
  const next = rules.map(({ pattern }) => first(pattern, text, 0));
  let at = 0;
  for (;;) {
    let best: RegExpExecArray | undefined;
    let rule: Rule | undefined;
    for (const [index, each] of rules.entries()) {
      let match = next[index];
      if (match !== undefined && match.index < at) match = next[index] = first(each.pattern, text, at);
      if (match !== undefined && match.index < (best?.index ?? Infinity)) [best, rule] = [match, each];
    }
    plain(at, best?.index);
    if (best === undefined || rule === undefined) return pieces;
    pieces.push(rule.piece(best[1] ?? ''));
    at = best.index + best[0].length;
  }
}

function first(pattern: RegExp, text: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text) ?? undefined;
}
