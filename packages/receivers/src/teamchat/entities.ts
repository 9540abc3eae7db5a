/** What a text makes of itself for the reader, besides bold and the like. `at` is a JSON pointer into the message. */
export type Entity =
  /** Somebody is pinged: `!channel`, `!here`, `!everyone`, `!subteam^S…`, `@U…`. */
  | { readonly kind: 'mention'; readonly who: string; readonly at: string }
  /** `label` is what the reader sees; `auto`: Slack made it of a bare address. */
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
  /** A shortcode that Slack turns into a picture, if the workspace has it. */
  | { readonly kind: 'emoji'; readonly name: string; readonly at: string }
  /** Angle brackets with something inside that Slack does not know, such as a date without its fallback. */
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
 * What stands in a text of Slack's mrkdwn. Code is read like everything else: whether a mention pings there is not
 * documented. https://docs.slack.dev/messaging/formatting-message-text
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

/** What `<…>` means. */
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
    return { kind: 'link', url: decode(target), label: decode(label ?? target), auto: false, at };
  return { kind: 'broken', text: `<${inside}>`, at };
}

const ADDRESS = /\b(?:https?:\/\/|mailto:|slack:\/\/)[^\s<>|"'`]*[^\s<>|"'`.,;:!?)\]}*_~]/gi;
// What may repeat is bounded below, so that no text takes long.

/** Some of the top-level domains that make a link of a word. */
const DOMAIN =
  /(?<![\w@./-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,10}(?:com|net|org|io|dev|app|ai|co|cloud|info|biz|edu|gov|de|uk|eu|fr|jp|us|me|tv|xyz|sh)(?![\w-]|\.\w)(?:\/[^\s<>|"'`]*[^\s<>|"'`.,;:!?)\]}*_~])?/gi;
const MAIL = /(?<![\w.+-])[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,63}\b/gi;

function bareLinks(text: string, at: string): Entity[] {
  const links: Entity[] = [];
  const add = (label: string, url: string): string => {
    links.push({ kind: 'link', url: decode(url), label: decode(label), auto: true, at });
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

/** The three characters that Slack has senders escape, as the reader sees them. */
function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
