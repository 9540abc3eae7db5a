/** Compares what arrived at one sink of one plan with what had to. */
import { tells, type Said } from './messages.ts';
import type { Expected } from './net-events.ts';

/** What became of one stream, given what had to arrive. */
export interface Alignment {
  readonly missing: readonly Expected[];
  /** Places of arrivals that fit nowhere. */
  readonly disorder: readonly number[];
  /** What each arrival is, by its place. */
  readonly events: ReadonlyMap<number, Expected>;
}

/** The longest common subsequence; of what is left, what arrived elsewhere is out of order and not missing. */
export function align(arrived: readonly Said[], wanted: readonly Expected[]): Alignment {
  const table = [wanted.map(() => 0)];
  const at = (i: number, j: number): number => (i < 0 || j < 0 ? 0 : (table[i + 1]?.[j] ?? 0));
  arrived.forEach((said, i) => {
    const row: number[] = [];
    table.push(row);
    wanted.forEach((event, j) => {
      row.push(
        tells(said, event) ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), j === 0 ? 0 : (row[j - 1] ?? 0)),
      );
    });
  });
  const events = new Map<number, Expected>();
  const unmatched: Expected[] = [];
  let [i, j] = [arrived.length - 1, wanted.length - 1];
  while (j >= 0) {
    const [said, event] = [arrived[i], wanted[j]];
    if (event === undefined) break;
    if (said !== undefined && tells(said, event) && at(i, j) === at(i - 1, j - 1) + 1) {
      events.set(i--, event);
      j--;
    } else if (i >= 0 && at(i - 1, j) >= at(i, j - 1)) i--;
    else {
      unmatched.unshift(event);
      j--;
    }
  }
  const disorder = arrived.flatMap((_, place) => (events.has(place) ? [] : [place]));
  const elsewhere = new Set(disorder);
  const missing = unmatched.filter((event) => {
    const place = [...elsewhere].find((each) => {
      const said = arrived[each];
      return said !== undefined && tells(said, event);
    });
    if (place !== undefined) elsewhere.delete(place);
    return place === undefined;
  });
  return { missing, disorder, events };
}
