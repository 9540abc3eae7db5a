/**
 * Upper, lower and title case as in Go. Each code point becomes exactly one other, independent of language and context. So
 * `ß` has no upper case, and `İ` becomes `i`.
 */
import { isAscii } from '../value/text.ts';
import { isAssigned } from './assigned.ts';

/** `unicode.ToUpper` */
export function runeToUpper(rune: number): number {
  if (rune < 0x80) return rune >= 0x61 && rune <= 0x7a ? rune - 32 : rune;
  // Greek letters with a subscript iota: JavaScript makes two letters of them, Go makes one.
  if (rune >= 0x1f80 && rune <= 0x1faf) return rune | 8;
  if (rune === 0x1fb3 || rune === 0x1fc3 || rune === 0x1ff3) return rune + 9;
  const text = String.fromCodePoint(rune);
  return single(rune, text, text.toUpperCase());
}

/** `unicode.ToLower` */
export function runeToLower(rune: number): number {
  if (rune < 0x80) return rune >= 0x41 && rune <= 0x5a ? rune + 32 : rune;
  if (rune === 0x130) return 0x69;
  const text = String.fromCodePoint(rune);
  return single(rune, text, text.toLowerCase());
}

/** `unicode.ToTitle` */
export function runeToTitle(rune: number): number {
  // Georgian capitals are not title case. Ǆ, Ǉ, Ǌ and Ǳ are one character for two letters.
  if (rune >= 0x10d0 && rune <= 0x10ff) return rune;
  if (rune >= 0x1c4 && rune <= 0x1cc) return rune - ((rune - 0x1c4) % 3) + 1;
  if (rune >= 0x1f1 && rune <= 0x1f3) return 0x1f2;
  return runeToUpper(rune);
}

/** The mapped character, if it is a single, assigned one; otherwise the same character. */
function single(rune: number, text: string, mapped: string): number {
  if (mapped === text) return rune;
  const other = mapped.codePointAt(0) ?? rune;
  const alone = mapped.length === (other > 0xffff ? 2 : 1);
  return alone && isAssigned(text) && isAssigned(mapped) ? other : rune;
}

/** `strings.ToUpper` */
export function toUpper(text: string): string {
  return isAscii(text) ? text.toUpperCase() : mapAll(text, /[a-z]|[^\0-\x7f]/gu, runeToUpper);
}

/** `strings.ToLower` */
export function toLower(text: string): string {
  return isAscii(text) ? text.toLowerCase() : mapAll(text, /[A-Z]|[^\0-\x7f]/gu, runeToLower);
}

function mapAll(text: string, characters: RegExp, map: (rune: number) => number): string {
  return text
    .toWellFormed()
    .replace(characters, (character) => String.fromCodePoint(map(character.codePointAt(0) ?? 0)));
}
