/** Functions that work letter by letter. */
import { runeToLower, runeToTitle, runeToUpper } from '../../unicode/case.ts';
import { isLower, isSpace, isTitle, isUpper } from '../../unicode/category.ts';
import { toBinary } from '../../value/binary.ts';

const SPACE = '\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
/** ASCII characters that are not letters, digits or underscores, and spaces of all Unicode. */
const SEPARATOR = `\\0-/:-@[-^\`{-\\x7f${SPACE}`;

const AFTER_SEPARATOR = new RegExp(`(?<![^${SEPARATOR}])[a-z\\x80-\\u{10ffff}]`, 'gu');
const AFTER_SPACE = new RegExp(`(?<![^${SPACE}])[A-Z\\x80-\\u{10ffff}]`, 'gu');
const CASED = /[a-z]+|[A-Z]+|[^\0-\x7f]/gu;

const mapper = (map: (rune: number) => number) => (character: string) =>
  String.fromCodePoint(map(character.codePointAt(0) ?? 0));

/** `strings.Title`: the first letter of each word in title case. */
export function title(text: string): string {
  return text.toWellFormed().replace(AFTER_SEPARATOR, mapper(runeToTitle));
}

/** The first letter of each word in lower case. */
export function untitle(text: string): string {
  return text.toWellFormed().replace(AFTER_SPACE, mapper(runeToLower));
}

/** Swaps upper and lower case. A lower-case letter at the start of a word becomes title case. */
export function swapCase(text: string): string {
  const whole = text.toWellFormed();
  return whole.replace(CASED, (letters, at: number) => {
    if (letters >= 'a' && letters < '{') return letters.toUpperCase();
    if (letters < '[') return letters.toLowerCase();
    const rune = letters.codePointAt(0) ?? 0;
    if (isUpper(rune) || isTitle(rune)) return String.fromCodePoint(runeToLower(rune));
    if (!isLower(rune)) return letters;
    const begins = at === 0 || isSpace(whole.charAt(at - 1));
    return String.fromCodePoint(begins ? runeToTitle(rune) : runeToUpper(rune));
  });
}

// The next two functions treat each byte as a character.

const SPACES = /[\t-\r \x85\xa0]+/g;

/** `nospace`. A text without spaces stays unchanged. */
export function withoutSpace(text: string): string {
  const bytes = toBinary(text);
  const rest = bytes.replace(SPACES, '');
  return rest === bytes ? text : rest;
}

/** `initials` */
export function initials(text: string): string {
  return toBinary(text).replace(/[\t-\r \x85\xa0]*([^\t-\r \x85\xa0]?)[^\t-\r \x85\xa0]*/g, '$1');
}
