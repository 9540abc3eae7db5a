/** Converts lists to texts, and texts to lists. */
import type { Context } from '../../context.ts';
import { compareText } from '../../value/text.ts';
import { STRING_MAP, STRING_SLICE } from '../../value/type.ts';
import { GoMap, Slice, type Value, withCapacity } from '../../value/value.ts';
import { strslice, strval } from '../convert.ts';
import * as search from './search.ts';

/** A map of the parts: `_0`, `_1` and so on. */
export function split(context: Context, separator: string, limit: bigint, text: string): GoMap {
  const parts = search.split(context.budget, text, separator, limit);
  context.budget.spend(8 * parts.length);
  context.budget.grow(128 * parts.length);
  return new GoMap(STRING_MAP, new Map(parts.map((part, i) => [`_${i}`, part])));
}

export function splitList({ budget }: Context, separator: string, text: string): Slice {
  return new Slice(STRING_SLICE, search.split(budget, text, separator, -1n));
}

export function toStrings(context: Context, value: Value): Slice {
  if (value instanceof Slice && value.type === STRING_SLICE) return value;
  const texts = strslice(context, value);
  // Nil elements leave room.
  return withCapacity(STRING_SLICE, texts, value instanceof Slice ? value.items.length : texts.length);
}

export function join(context: Context, separator: string, value: Value): string {
  const texts = strslice(context, value);
  context.budget.spend(texts.length);
  context.budget.grow(texts.reduce((sum, text) => sum + text.length + separator.length, 0));
  return texts.join(separator);
}

/** The texts of a list, sorted by bytes. A value that is not a list becomes a list of one text. */
export function sortAlpha(context: Context, value: Value): Slice {
  if (!(value instanceof Slice)) return new Slice(STRING_SLICE, [strval(context, value)]);
  const strings = toStrings(context, value);
  // As in Go, a `[]string` is sorted in place.
  (strings.items as string[]).sort((a, b) => {
    context.budget.spend(1 + (a.length >> 6));
    return compareText(a, b);
  });
  return strings;
}
