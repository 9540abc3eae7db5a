/** Word joiner: shows nothing, breaks no line, and is no letter of any name. */
const JOINER = '\u2060';

/**
 * An address that Telegram makes a link of whatever signs are in its path, and nothing else. It takes more for one than this,
 * but that depends on what stands around it.
 */
const ADDRESS =
  // A word with a dot before it may be taken for the address, and this for its path.
  String.raw`(?<=(?:^|[ \n<>"])(?:[^ \n<>".@#$/]{0,63}[(['{=|,;:])?)https?:\/\/` +
  String.raw`(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,20}[A-Za-z]{2,63}(?::[1-9]\d{0,3})?` +
  String.raw`[/?#][!#$%&'*+,\-./\w:;=?@\\^${'`'}|~]*`;

/** A letter, or what may be one: Telegram drops some invisible characters before it looks. The end may be another text's begin. */
const LETTER = String.raw`(?=[A-Za-z0-9_]|[^ -~\n\u2060]|$)`;

/**
 * Where Telegram would make a mention, a hashtag, a cashtag or a command of a word: after no letter, and before one. The
 * first part of a path (`/var/log`) is no command.
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
 * The text so that nothing in it mentions anybody, or can be tapped as a tag or a command: an invisible character stands
 * after the sign, and a reader sees the same. Addresses (`https://…`) stay as they are: they are links as a whole. Twice is
 * the same as once.
 */
export function neutralizeMentions(text: string): string {
  if (!/[@#$/]/.test(text)) return text;
  return text.replace(FOUND, (found) => (found.length === 1 ? found + JOINER : found));
}
