/** Removes characters at the ends of a text. */
import { isAscii, toRunes } from '../../value/text.ts';
import { isSpace } from '../../unicode/category.ts';

/** `strings.TrimSpace` */
export function trimSpace(text: string): string {
  return isAscii(text) ? text.trim() : trimWhere(text, isSpace);
}

/** `strings.Trim`: removes characters of a set. A byte that is not a character counts as U+FFFD. */
export function trimSet(text: string, set: string): string {
  const runes = new Set(toRunes(set));
  return trimWhere(text, (character) => runes.has(character.toWellFormed().codePointAt(0) ?? 0));
}

function trimWhere(text: string, goes: (character: string) => boolean): string {
  let from = 0;
  let to = text.length;
  while (from < to) {
    const character = characterAt(text, from);
    if (!goes(character)) break;
    from += character.length;
  }
  while (to > from) {
    const pair = to - from > 1 && characterAt(text, to - 2).length === 2;
    const start = pair ? to - 2 : to - 1;
    if (!goes(text.slice(start, to))) break;
    to = start;
  }
  return text.slice(from, to);
}

function characterAt(text: string, at: number): string {
  return text.slice(at, at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1));
}
