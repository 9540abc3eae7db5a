/** Compares the messages of one plan that arrived at one sink with the expected ones. */
import { tells, type Said } from './messages.ts';
import type { Expected } from './net-events.ts';

/** The comparison of one stream with the expected events. */
export interface Alignment<Event extends Expected> {
  readonly missing: readonly Event[];
  /** Indexes of arrivals that match no event in order. */
  readonly disorder: readonly number[];
  /** The event of each arrival, by the index of the arrival. */
  readonly events: ReadonlyMap<number, Event>;
}

/** Uses the longest common subsequence. An event outside of it that arrived in another place is out of order, not missing. */
export function align<Event extends Expected>(
  arrived: readonly Said[],
  wanted: readonly Event[],
): Alignment<Event> {
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
  const events = new Map<number, Event>();
  const unmatched: Event[] = [];
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
