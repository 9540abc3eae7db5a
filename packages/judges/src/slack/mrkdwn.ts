/** The special parts of a text, besides styles. `at` is a JSON pointer into the message. */
export type Entity =
  /** Pings users: `!channel`, `!here`, `!everyone`, `!subteam^S…`, `@U…`. */
  | { readonly kind: 'mention'; readonly who: string; readonly at: string }
  /** `label` is the visible text. `auto`: Slack found it in a plain URL. */
  | {
      readonly kind: 'link';
      readonly url: string;
      readonly label: string;
      readonly auto: boolean;
      readonly at: string;
    }
  | { readonly kind: 'channel'; readonly id: string; readonly at: string }
  | {
      readonly kind: 'date';
      readonly unix: number;
      readonly format: string;
      readonly fallback: string;
      readonly url: string | undefined;
      readonly at: string;
    }
  /** A shortcode that Slack shows as an emoji, if the workspace has it. */
  | { readonly kind: 'emoji'; readonly name: string; readonly at: string }
  /** Angle brackets with unknown content, such as a date without its fallback. */
  | { readonly kind: 'broken'; readonly text: string; readonly at: string };

export type EntityKind = Entity['kind'];

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
    found.push(ofBrackets(match[1] ?? '', at));
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
function ofBrackets(inside: string, at: string): Entity {
  const bar = inside.indexOf('|');
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? undefined : inside.slice(bar + 1);
  if (/^@[UW][A-Z0-9]+$/.test(target) || /^!(channel|here|everyone|group)$/.test(target))
    return { kind: 'mention', who: target, at };
  if (/^!subteam\^S[A-Z0-9]+$/.test(target)) return { kind: 'mention', who: target, at };
  if (/^#[CG][A-Z0-9]+$/.test(target)) return { kind: 'channel', id: target.slice(1), at };
  const [, unix, format, url] = /^!date\^(-?\d+)\^([^^]+)(?:\^(.+))?$/.exec(target) ?? [];
  // The fallback is mandatory.
  if (unix !== undefined && format !== undefined && label)
    return { kind: 'date', unix: Number(unix), format, fallback: label, url, at };
  // Slack takes any scheme, and an address without one.
  if (!/^[!@#]/.test(target) && /^([a-z][a-z0-9+.-]*:|[\w-]+(\.[\w-]+)+)/i.test(target))
    return { kind: 'link', url: decoded(target), label: decoded(label ?? target), auto: false, at };
  return { kind: 'broken', text: `<${inside}>`, at };
}

/**
 * A text as Slack stores it, and gives it back: what has no meaning in angle brackets is escaped, as senders should have done.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export function storedText(text: string): string {
  const parts = text.split(/(<[^<>\n]+>)/);
  return parts.map((part, index) => (index % 2 === 1 && hasMeaning(part) ? part : escaped(part))).join('');
}

const hasMeaning = (brackets: string): boolean => ofBrackets(brackets.slice(1, -1), '').kind !== 'broken';

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
export function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
