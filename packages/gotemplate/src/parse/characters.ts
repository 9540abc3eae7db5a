/** The character classes of the lexer. */
import { isPrint } from '../strconv/quote.ts';

/** Space, tab, line feed and carriage return. They separate words, and trim markers remove them. */
export function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0x0d;
}

export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, unit) =>
  /\w/.test(String.fromCharCode(unit)) ? 1 : 0,
);
const LETTER_OR_DIGIT = /^[\p{L}\p{Nd}]$/u;

/** Whether the code point may be part of a name: a letter, a digit or an underscore. */
export function isWord(point: number): boolean {
  if (point < 128) return ASCII_WORD[point] === 1;
  // JavaScript may know letters of a newer Unicode than Go's. For those, isPrint is false.
  return LETTER_OR_DIGIT.test(String.fromCodePoint(point)) && isPrint(point);
}

/** The first offset from `at` that is not a word character. */
export function skipWord(text: string, at: number): number {
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit < 128 ? ASCII_WORD[unit] === 1 : isWord(text.codePointAt(at) ?? 0))
      at += unit < 0xd800 || unit > 0xdbff ? 1 : 2;
    else return at;
  }
}

/** A code point in error messages: `U+0041 'A'`. */
export function unicodeName(point: number): string {
  const name = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return isPrint(point) ? `${name} '${String.fromCodePoint(point)}'` : name;
}
