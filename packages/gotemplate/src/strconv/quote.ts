/** Go's quoting. */
import { isAssigned } from '../unicode/assigned.ts';

const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

/** `strconv.IsPrint`: letters, marks, numbers, punctuation and symbols of Unicode 15.0, and the ASCII space. */
export function isPrint(rune: number): boolean {
  if (rune < 0x7f) return rune >= 0x20;
  if (rune > 0x10ffff) return false;
  const character = String.fromCodePoint(rune);
  return VISIBLE.test(character) && isAssigned(character);
}

const PLAIN = /^[ !#-[\]-~]*$/;
const TO_CHECK = /["\\]|[^ -~]/gu;

/** `strconv.Quote`: in double quotes, what does not print escaped. */
export function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : `"${text.replace(TO_CHECK, escapeUnlessPrint)}"`;
}

/** `strconv.QuoteToASCII`: what is no ASCII escaped as well. */
export function quoteToASCII(text: string): string {
  return `"${text.replace(TO_CHECK, escape)}"`;
}

/** `strconv.QuoteRune`: in single quotes; what is no code point as U+FFFD. */
export function quoteRune(rune: number): string {
  return `'${runeInQuotes(rune, escapeUnlessPrint)}'`;
}

/** `strconv.QuoteRuneToASCII`. */
export function quoteRuneToASCII(rune: number): string {
  return `'${runeInQuotes(rune, escape)}'`;
}

function runeInQuotes(rune: number, escapeOther: (character: string) => string): string {
  if (rune === 0x27 || rune === 0x5c) return `\\${String.fromCharCode(rune)}`;
  if (rune >= 0x20 && rune < 0x7f) return String.fromCharCode(rune);
  const isRune = rune >= 0 && rune <= 0x10ffff && (rune & 0x1ff800) !== 0xd800;
  return escapeOther(isRune ? String.fromCodePoint(rune) : '\ufffd');
}

const BARRED_IN_BACKQUOTES = /[\0-\x08\n-\x1f`\x7f\ufeff\udc80-\udcff]/u;

/** `strconv.CanBackquote`: whether the text can stand as it is between backquotes, on one line. */
export function canBackquote(text: string): boolean {
  return !BARRED_IN_BACKQUOTES.test(text);
}

function escapeUnlessPrint(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point >= 0x80 && isPrint(point) ? character : escape(character);
}

const SHORT = new Map(
  ['""', '\\\\', '\x07a', '\bb', '\ff', '\nn', '\rr', '\tt', '\vv'].map(([character = '', letter]) => [
    character,
    `\\${letter}`,
  ]),
);

/** A character, or a byte that is part of none, by its number. */
function escape(character: string): string {
  const short = SHORT.get(character);
  if (short !== undefined) return short;
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return `\\x${hex(point, 2)}`;
  if (point >= 0xdc80 && point <= 0xdcff) return `\\x${hex(point & 0xff, 2)}`;
  return point < 0x10000 ? `\\u${hex(point, 4)}` : `\\U${hex(point, 8)}`;
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}
