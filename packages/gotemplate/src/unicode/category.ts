/** What kind of character a code point is, in Unicode 15.0 as Go knows it. */
import { isAssigned } from './assigned.ts';

type Test = (rune: number) => boolean;

function category(pattern: RegExp): Test {
  return (rune) => {
    const text = String.fromCodePoint(rune);
    return pattern.test(text) && (rune < 0x378 || isAssigned(text));
  };
}

export const isUpper = category(/\p{Lu}/u);
// The last became a letter without case after Unicode 15.0.
export const isLower = category(/[\p{Ll}\u0295]/u);
export const isTitle = category(/\p{Lt}/u);
export const isLetter = category(/\p{L}/u);
export const isDigit = category(/\p{Nd}/u);
export const isNumber = category(/\p{N}/u);
export const isPunct = category(/\p{P}/u);

const SPACE = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** `unicode.IsSpace`, of a character in one UTF-16 unit; there is no other space. */
export function isSpace(character: string): boolean {
  return SPACE.test(character);
}
