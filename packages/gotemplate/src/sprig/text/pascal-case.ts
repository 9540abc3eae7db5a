import { runeToLower, runeToUpper } from '../../unicode/case.ts';
import { isSpace, isUpper } from '../../unicode/category.ts';
import { fromRunes, toRunes } from '../../value/text.ts';

/** Whether it joins words: hyphen, underscore or space. */
export function isConnector(rune: number): boolean {
  return rune === 0x2d || rune === 0x5f || (rune <= 0xffff && isSpace(String.fromCharCode(rune)));
}

/**
 * `some_words` as `SomeWords`. Of several connectors between words all but the last stay, and so do those at the ends; a
 * word that is all in upper case keeps it in its first letter only.
 */
export function pascalCase(text: string): string {
  const runes = toRunes(text);
  const start = runes.findIndex((rune) => !isConnector(rune));
  // Nothing but connectors: the library that sprig uses repeats the last.
  if (start < 0) return fromRunes(runes.concat(runes.slice(-1)));
  const written = runes.slice(0, start);
  let capitals = false;
  for (let i = start; i < runes.length; i++) {
    const rune = runes[i] ?? 0;
    const previous = runes[i - 1];
    const begins = i === start || (previous !== undefined && isConnector(previous));
    if (isConnector(rune)) {
      const next = runes[i + 1];
      capitals = false;
      if (next === undefined || isConnector(next)) written.push(rune);
    } else if (begins) {
      capitals = isUpper(rune);
      written.push(runeToUpper(rune));
    } else {
      capitals &&= isUpper(rune);
      written.push(capitals ? runeToLower(rune) : rune);
    }
  }
  return fromRunes(written);
}
