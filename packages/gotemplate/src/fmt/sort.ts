import type { Context } from '../context.ts';
import { compareText } from '../value/text.ts';
import type { GoMap, Key } from '../value/value.ts';

/** The keys of a map in the order in which Go prints it and ranges over it: NaN before all numbers, false before true. */
export function sortedKeys({ budget }: Context, { entries }: GoMap): Key[] {
  const keys = [...entries.keys()];
  let work = keys.length;
  for (const key of keys) if (typeof key === 'string') work += key.length >> 6;
  budget.spend(work * Math.ceil(Math.log2(keys.length + 1)));
  return keys.sort(compareKeys);
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
