import type { Context } from '../context.ts';
import { compareText } from './text.ts';
import type { GoMap, Key } from './value.ts';

/** The keys of a map in the order in which Go prints it and ranges over it: NaN before all numbers, false before true. */
export function sortedKeys({ budget }: Context, { entries }: GoMap): Key[] {
  return [...entries.keys()].sort((a, b) => {
    // The longer the keys, the longer it may take to find where they differ.
    budget.spend(typeof a === 'string' ? 1 + (a.length >> 6) : 1);
    return compareKeys(a, b);
  });
}

/** Keys of different types, which a map over interface {} may hold, stand by type. */
function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a !== typeof b) return typeof a < typeof b ? -1 : 1;
  if (a === b) return 0;
  if (Number.isNaN(a)) return -1;
  if (Number.isNaN(b)) return 1;
  return a < b ? -1 : 1;
}
