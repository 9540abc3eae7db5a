/** What is done letter by letter. */
import { runeToLower, runeToTitle, runeToUpper } from '../../unicode/case.ts';
import { isDigit, isLetter, isLower, isSpace, isTitle, isUpper } from '../../unicode/category.ts';
import { fromRunes, toRunes } from '../../value/text.ts';
import { toBinary } from './binary.ts';

const isSpaceRune = (rune: number): boolean => rune <= 0xffff && isSpace(String.fromCharCode(rune));

/** `strings.Title`: every letter that begins a word, in title case. Of what is not ASCII, only space ends a word. */
export function title(text: string): string {
  let begins = true;
  return mapRunes(text, (rune) => {
    const mapped = begins ? runeToTitle(rune) : rune;
    begins = rune < 0x80 ? !WORD.test(String.fromCharCode(rune)) : isSeparator(rune);
    return mapped;
  });
}

const WORD = /\w/;

function isSeparator(rune: number): boolean {
  return !isLetter(rune) && !isDigit(rune) && isSpaceRune(rune);
}

/** Every letter that begins a word, in lower case. */
export function untitle(text: string): string {
  let begins = true;
  return mapRunes(text, (rune) => {
    if (isSpaceRune(rune)) {
      begins = true;
      return rune;
    }
    const mapped = begins ? runeToLower(rune) : rune;
    begins = false;
    return mapped;
  });
}

/** Upper case for lower and the other way round; title case for a lower one that begins a word. */
export function swapCase(text: string): string {
  let begins = true;
  return mapRunes(text, (rune) => {
    if (isUpper(rune) || isTitle(rune)) {
      begins = false;
      return runeToLower(rune);
    }
    if (isLower(rune)) {
      const mapped = begins ? runeToTitle(rune) : runeToUpper(rune);
      begins = false;
      return mapped;
    }
    begins = isSpaceRune(rune);
    return rune;
  });
}

function mapRunes(text: string, map: (rune: number) => number): string {
  return fromRunes(toRunes(text).map(map));
}

// The two that follow take each byte for a character by itself, and write it as one.

const BYTES_OF_SPACE = /[\t-\r \x85\xa0]+/g;

/** `nospace`. A text without space stays as it is. */
export function withoutSpace(text: string): string {
  const bytes = toBinary(text);
  const rest = bytes.replace(BYTES_OF_SPACE, '');
  return rest === bytes ? text : rest;
}

/** `initials` */
export function initials(text: string): string {
  return toBinary(text)
    .split(BYTES_OF_SPACE)
    .map((word) => word.slice(0, 1))
    .join('');
}
