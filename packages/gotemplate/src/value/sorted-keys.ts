import type { Context } from '../context.ts';
import { compareText } from './text.ts';
import type { GoMap, Key } from './value.ts';

/** The keys of a map in Go's order of printing and `range`: NaN before all numbers, false before true. */
export function sortedKeys({ budget }: Context, { entries }: GoMap): Key[] {
  return [...entries.keys()].sort((a, b) => {
    // Comparing long keys takes longer.
    budget.spend(typeof a === 'string' ? 1 + (a.length >> 6) : 1);
    return compareKeys(a, b);
  });
}

/** Keys of different types (in a map with keys of `interface {}`) are ordered by type. */
function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a !== typeof b) return typeof a < typeof b ? -1 : 1;
  if (a === b) return 0;
  if (Number.isNaN(a)) return -1;
  if (Number.isNaN(b)) return 1;
  return a < b ? -1 : 1;
}
