import { runeToLower, runeToUpper } from '../../unicode/case.ts';
import { isUpper } from '../../unicode/category.ts';

const CONNECTOR = '_\\-\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const ONLY_CONNECTORS = new RegExp(`^[${CONNECTOR}]+$`);
const WORD = new RegExp(`([${CONNECTOR}]*)([^${CONNECTOR}]+)`, 'g');

/**
 * `some_words` becomes `SomeWords`. Of several connectors between words, the last is removed; connectors at the ends stay.
 * Of several upper-case letters at the start of a word, all but the first become lower case.
 */
export function pascalCase(text: string): string {
  // The library that sprig uses repeats the last one.
  if (ONLY_CONNECTORS.test(text)) return text + text.slice(-1);
  return text
    .toWellFormed()
    .replace(
      WORD,
      (_, connectors: string, word: string, at: number) =>
        (at === 0 ? connectors : connectors.slice(0, -1)) + capitalize(word),
    );
}

function capitalize(word: string): string {
  let result = '';
  for (const character of word) {
    const rune = character.codePointAt(0) ?? 0;
    const upper = isUpper(rune);
    if (result === '') result = String.fromCodePoint(runeToUpper(rune));
    else if (upper) result += String.fromCodePoint(runeToLower(rune));
    if (!upper) return result + word.slice(result.length);
  }
  return result;
}
