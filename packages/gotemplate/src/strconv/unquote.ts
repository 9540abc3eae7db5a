/** Parses Go's string and character literals. */
import { fromOutside, join, REPLACEMENT } from '../value/text.ts';

const SIMPLE: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['b', 0x08],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
  ['\\', 0x5c],
]);

/** The number of hexadecimal digits. */
const HEX: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

interface Unquoted {
  /** A code point, or a byte. */
  readonly value: number;
  /** Whether `value` is a code point; otherwise it is a byte, which may be part of a character. */
  readonly multibyte: boolean;
  /** Where the rest begins. */
  readonly end: number;
}

/**
 * The character at `start` of quoted text, with its escape resolved, or undefined if it is invalid. `quote` (`'`, `"` or
 * none) must be escaped.
 */
export function unquoteChar(text: string, quote: "'" | '"' | '', start = 0): Unquoted | undefined {
  const point = text.codePointAt(start);
  if (point === undefined) return undefined;
  const first = text[start];
  if (first === quote) return undefined;
  if (first !== '\\') {
    const value = point >= 0xdc80 && point <= 0xdcff ? REPLACEMENT : point;
    return { value, multibyte: point >= 0x80, end: start + (point > 0xffff ? 2 : 1) };
  }
  const escape = text[start + 1];
  if (escape === undefined) return undefined;
  const simple = escape === quote ? escape.charCodeAt(0) : SIMPLE.get(escape);
  if (simple !== undefined) return { value: simple, multibyte: false, end: start + 2 };
  const digits = HEX.get(escape);
  return digits === undefined ? octal(text, start + 1) : hexadecimal(text, start + 2, digits);
}

function hexadecimal(text: string, start: number, digits: number): Unquoted | undefined {
  const end = start + digits;
  const written = text.slice(start, end);
  if (written.length < digits || !/^[\da-fA-F]+$/.test(written)) return undefined;
  const value = Number.parseInt(written, 16);
  if (digits === 2) return { value, multibyte: false, end };
  if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return undefined;
  return { value, multibyte: true, end };
}

function octal(text: string, start: number): Unquoted | undefined {
  const end = start + 3;
  const written = text.slice(start, end);
  return /^[0-3][0-7]{2}$/.test(written)
    ? { value: Number.parseInt(written, 8), multibyte: false, end }
    : undefined;
}

/** The value of a literal in `"`, `` ` `` or `'`; undefined if it is invalid. */
export function unquote(text: string): string | undefined {
  const quote = text[0];
  const last = text.length - 1;
  if (last < 1 || text[last] !== quote) return undefined;
  const inner = text.slice(1, last);
  if (quote === '`') return inner.includes('`') ? undefined : inner.replaceAll('\r', '');
  if (quote === '"') return unescape(inner, quote);
  return quote === "'" ? unquoteSingle(inner) : undefined;
}

function unquoteSingle(inner: string): string | undefined {
  // An empty character literal is an empty string, not an error.
  if (inner === '') return '';
  const character = unquoteChar(inner, "'");
  return character?.end === inner.length ? unescape(inner, "'") : undefined;
}

function unescape(inner: string, quote: "'" | '"'): string | undefined {
  let text = '';
  let from = 0;
  for (;;) {
    const at = inner.indexOf('\\', from);
    const plain = at < 0 ? inner.slice(from) : inner.slice(from, at);
    if (plain.includes(quote) || plain.includes('\n')) return undefined;
    text += fromOutside(plain);
    if (at < 0) return join(text);
    const escaped = unquoteChar(inner, quote, at);
    if (escaped === undefined) return undefined;
    const { value, multibyte, end } = escaped;
    text += String.fromCodePoint(multibyte || value < 0x80 ? value : 0xdc00 | value);
    from = end;
  }
}
