/** Word joiner: invisible, without a line break, and not part of a name. */
const JOINER = '\u2060';

/**
 * A URL that Telegram always makes one link of. Telegram recognizes more texts as links, but that depends on the text around them.
 */
const ADDRESS =
  // A word with a dot before it may be taken for the address, and this for its path.
  String.raw`(?<=(?:^|[ \n<>"])(?:[^ \n<>".@#$/]{0,63}[(['{=|,;:])?)https?:\/\/` +
  String.raw`(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,20}[A-Za-z]{2,63}(?::[1-9]\d{0,3})?` +
  String.raw`[/?#][!#$%&'*+,\-./\w:;=?@\\^${'`'}|~]*`;

/** A letter, or what may be one: Telegram removes some invisible characters first, and another text may follow the end. */
const LETTER = String.raw`(?=[A-Za-z0-9_]|[^ -~\n\u2060]|$)`;

/**
 * A sign that begins a mention, hashtag, cashtag or command for Telegram: not after a letter, and before one. The first part of a path
 * (`/var/log`) is not a command.
 * https://core.telegram.org/api/entities
 */
const SIGNS = [
  `(?<![A-Za-z0-9_])@${LETTER}`,
  `(?<![A-Za-z0-9_])#${LETTER}`,
  String.raw`(?<![A-Za-z0-9_$])\$(?=[A-Z1]|[^ -~\n\u2060]|$)`,
  String.raw`(?<![A-Za-z0-9_/<>])\/(?!\w{1,64}\/)${LETTER}`,
];

const FOUND = new RegExp([ADDRESS, ...SIGNS].join('|'), 'g');

/**
 * Adds an invisible character after each sign that would make a mention, tag or command. URLs (`https://…`) do not change: they are
 * links as a whole. A second call changes nothing.
 */
export function neutralizeMentions(text: string): string {
  if (!/[@#$/]/.test(text)) return text;
  return text.replace(FOUND, (found) => (found.length === 1 ? found + JOINER : found));
}
