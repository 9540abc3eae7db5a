/** Go's quoting. */
import type { Budget } from '../budget.ts';
import { inChunks } from '../replace.ts';
import { isAssigned } from '../unicode/assigned.ts';

const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

/** `strconv.IsPrint`: letters, marks, numbers, punctuation and symbols of Unicode 15.0, and the ASCII space. */
export function isPrint(rune: number): boolean {
  if (rune < 0x7f) return rune >= 0x20;
  if (rune > 0x10ffff) return false;
  const character = String.fromCodePoint(rune);
  return VISIBLE.test(character) && isAssigned(character);
}

/** Common printable characters: European, Chinese, Japanese and Korean letters, and emoji. */
const PRINTED =
  ' !#-[\\]-~\\xa1-\\xac\\xae-\\u0377\\u0400-\\u052f\\u2010-\\u2027\\u2030-\\u205e\\u20a0-\\u20c0\\u2190-\\u2426' +
  '\\u2500-\\u2b73\\u3001-\\u303f\\u3041-\\u3096\\u3099-\\u30ff\\u4e00-\\ua48c\\uac00-\\ud7a3\\u{1f300}-\\u{1f6d7}';
const PLAIN = new RegExp(`^[${PRINTED}]*$`, 'u');
const TO_CHECK = new RegExp(`[^${PRINTED}]`, 'gu');
const NOT_PLAIN_ASCII = /["\\]|[^ -~]/gu;

/** `strconv.Quote`: in double quotes, with non-printable characters escaped. For texts of any length, pass a budget. */
export function quote(text: string, budget?: Budget): string {
  return PLAIN.test(text) ? `"${text}"` : `"${replace(text, TO_CHECK, escapeUnlessPrint, budget)}"`;
}

/** `strconv.QuoteToASCII`: also escapes characters that are not ASCII. */
export function quoteToASCII(text: string, budget?: Budget): string {
  return `"${replace(text, NOT_PLAIN_ASCII, escape, budget)}"`;
}

/** Characters for one unit of work. */
const PACE = 4;

function replace(
  text: string,
  pattern: RegExp,
  replacement: (character: string) => string,
  budget: Budget | undefined,
): string {
  return inChunks(budget, text, (chunk) => chunk.replace(pattern, replacement), PACE);
}

/** `strconv.QuoteRune`: in single quotes. An invalid code point becomes U+FFFD. */
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

/** `strconv.CanBackquote`: whether the text can be in backquotes unchanged, on one line. */
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

/** Escapes a character, or a byte that is not part of one. */
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
