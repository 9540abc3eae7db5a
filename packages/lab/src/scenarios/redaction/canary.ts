import { createHash } from 'node:crypto';

/** Every part of a canary begins with this. Nothing else has it: an event's id, base32, has no 9. */
const MARK = 'zq9k';

/** Recognisable, the same in every run: `zq9k` and eight characters that depend on what it is for. */
const part = (what: string): string =>
  MARK +
  BigInt(`0x${createHash('sha256').update(what).digest('hex')}`)
    .toString(36)
    .slice(0, 8);

/** A credential in the shape in which they are awkward; what may not be in it, the place says. */
export const canary = {
  /** For where any text may stand. */
  text: (what: string): string => `${part(what)}+/=% "'<&>\\ü${part(`${what}2`)}`,
  /** For headers: printable ASCII. */
  ascii: (what: string): string => `${part(what)}+/=%"' <&>\\${part(`${what}2`)}`,
  /** For tokens: no blanks. */
  token: (what: string): string => `${part(what)}+/=%"'<&>\\${part(`${what}2`)}`,
  /** For Telegram's tokens: letters, digits, `-` and `_`. */
  word: (what: string): string => `${part(what)}-_${part(`${what}2`)}`,
};

const escaped = (text: string, of: (code: number) => string): string =>
  [...text].map((character) => of(character.codePointAt(0) ?? 0)).join('');
const bytes = (text: string, of: (hex: string) => string): string =>
  [...Buffer.from(text)].map((byte) => of(byte.toString(16).padStart(2, '0'))).join('');
const percentLower = (text: string): string =>
  encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const html = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** The forms in which receivers echo what they were sent. Written without a look at what finds them. */
export const ECHOES: Readonly<Record<string, (value: string) => string>> = {
  'as it is': (value) => value,
  'percent-encoded': encodeURIComponent,
  'percent-encoded, lower case': percentLower,
  'percent-encoded twice': (value) => encodeURIComponent(encodeURIComponent(value)),
  'percent-encoded, every byte': (value) => bytes(value, (hex) => `%${hex.toUpperCase()}`),
  'as a form': (value) => new URLSearchParams({ a: value }).toString().slice(2),
  'in JSON': inJson,
  'in JSON with slashes escaped': (value) => inJson(value).replaceAll('/', '\\/'),
  'in JSON in JSON': (value) => inJson(inJson(value)),
  'in JSON, every character': (value) => escaped(value, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'in HTML': html,
  'in HTML, every character': (value) => escaped(value, (code) => `&#${code};`),
  'in JSON in HTML': (value) => html(inJson(value)),
  'as bytes': (value) => bytes(value, (hex) => `\\x${hex}`),
  base64,
  base64url: (value) => Buffer.from(value).toString('base64url'),
  'base64 of user and password': (value) => base64(`user:${value}`),
  'base64 of a header': (value) => base64(`Bearer ${value}`),
  'base64, percent-encoded before': (value) => base64(encodeURIComponent(value)),
  'base64 of user and password, percent-encoded before': (value) =>
    base64(`user:${encodeURIComponent(value)}`),
  'base64 of base64': (value) => base64(base64(value)),
  'base64 of JSON, percent-encoded': (value) => encodeURIComponent(base64(inJson(value))),
  'base64 of hex': (value) => base64(bytes(value, (hex) => hex)),
  'hex of base64': (value) => bytes(base64(value), (hex) => hex),
  hex: (value) => bytes(value, (hex) => hex),
  'hex, upper case': (value) => bytes(value, (hex) => hex.toUpperCase()),
  'upper case': (value) => value.toUpperCase(),
  'lower case': (value) => value.toLowerCase(),
  'over lines': (value) => value.replace(/.{7}/gu, '$&\r\n '),
  'cut short': (value) => `${value.slice(0, 16)}...`,
};

/** What of a text may be a canary: everything that begins as one does, however it is written. */
export function canariesIn(text: string): string[] {
  const found = new Set<string>();
  search(text, 3, found);
  return [...found];
}

const HITS = new RegExp(`${MARK}[a-z0-9]{4,}`, 'gi');

function search(text: string, depth: number, found: Set<string>): void {
  for (const [hit] of text.matchAll(HITS)) found.add(hit);
  for (const [hit] of text.replace(/(?:[\s\p{Cf}]|\\[nrt])+/gu, '').matchAll(HITS)) found.add(hit);
  if (depth === 0) return;
  const others = new Set<string>();
  others.add(unpercent(text));
  others.add(unjson(text));
  others.add(unhtml(text));
  others.delete(text);
  const inside = [...tokens(text)].join('\n');
  if (inside !== '') others.add(inside);
  for (const other of others) search(other, depth - 1, found);
}

const latin = (hex: string): string => String.fromCharCode(parseInt(hex, 16));
const unpercent = (text: string): string =>
  text.replace(/(?:%|\\x)([0-7][0-9a-f])/gi, (_, hex: string) => latin(hex));
const unjson = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})|\\(["\\/])/gi, (_, hex: string | undefined, plain: string) =>
    hex === undefined ? plain : latin(hex),
  );
const unhtml = (text: string): string =>
  text
    .replace(/&#(\d{1,7});/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)))
    .replace(/&(lt|gt|quot|amp|apos);/g, '');

/** What long tokens stand for, read as base64 and as hex. */
function* tokens(text: string): Generator<string> {
  for (const [token] of text.matchAll(/[A-Za-z0-9+/_-]{11,}/g))
    // A token may begin amid something: with any of four characters a group begins.
    for (const skip of [0, 1, 2, 3]) yield Buffer.from(token.slice(skip), 'base64').toString('latin1');
  for (const [token] of text.matchAll(/[0-9a-f]{16,}/gi))
    for (const skip of [0, 1]) yield Buffer.from(token.slice(skip), 'hex').toString('latin1');
}
