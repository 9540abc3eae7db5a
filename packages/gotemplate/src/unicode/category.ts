/** The category of a code point in Unicode 15.0, Go's version. */
import { isAssigned } from './assigned.ts';

type Test = (rune: number) => boolean;

function category(pattern: RegExp): Test {
  return (rune) => {
    const text = String.fromCodePoint(rune);
    return pattern.test(text) && (rune < 0x378 || isAssigned(text));
  };
}

export const isUpper = category(/\p{Lu}/u);
// After Unicode 15.0, U+0295 became a letter without case.
export const isLower = category(/[\p{Ll}\u0295]/u);
export const isTitle = category(/\p{Lt}/u);
export const isLetter = category(/\p{L}/u);
export const isDigit = category(/\p{Nd}/u);
export const isNumber = category(/\p{N}/u);
export const isPunct = category(/\p{P}/u);

const SPACE = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** `unicode.IsSpace` of a character. All spaces have one UTF-16 unit. */
export function isSpace(character: string): boolean {
  return SPACE.test(character);
}
