/** Suggestions for a name that does not exist. */
import type { Type } from '../value/type.ts';

/** Longer names have no suggestion: a comparison costs the product of the lengths. */
const LONGEST = 63;

/** The nearest candidate, or undefined. At most a third of the letters may differ. A name of more than 63 letters has none. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(name);
  if (wanted.length > LONGEST) return undefined;
  let best: string | undefined;
  let least = Math.floor(wanted.length / 3) + 1;
  for (const candidate of candidates) {
    const d = distance(wanted, plain(candidate), least);
    if (d < least) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

const plain = (name: string): string => name.toLowerCase().replace(/[.$_-]/g, '');

/** The number of letters to insert, delete, replace or swap with their neighbour; at most `limit`. */
export function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let d = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        d = Math.min(d, at(before, j - 2) + 1);
      next.push(d);
    }
    before = row;
    row = next;
  }
  return Math.min(limit, at(row, b.length));
}

const at = (row: readonly number[], i: number): number => row[i] ?? Infinity;

/** The depth of the search: enough for `.Connector.AccountID` from a target's parent. */
const DEPTH = 3;

/** All paths of fields that begin at a type, such as `.Plan` and `.Plan.Name`, shorter ones first. */
export function paths(type: Type | undefined): string[] {
  const found: string[] = [];
  let level: { path: string; type: Type }[] = type === undefined ? [] : [{ path: '', type }];
  for (let depth = 0; depth < DEPTH; depth++) {
    const next: typeof level = [];
    for (const { path, type: from } of level) {
      const struct = from.kind === 'ptr' && from.elem !== undefined ? from.elem : from;
      for (const field of struct.fields) next.push({ path: `${path}.${field.name}`, type: field.type });
    }
    found.push(...next.map(({ path }) => path));
    level = next;
  }
  return found;
}
