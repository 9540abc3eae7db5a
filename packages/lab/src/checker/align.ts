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

/**
 * Uses the longest common subsequence. An event outside of it that arrived in another place is out of order, not missing. Of events with
 * the same text the first one counts as arrived: what is missing is rather the end.
 */
export function align<Event extends Expected>(
  arrived: readonly Said[],
  wanted: readonly Event[],
): Alignment<Event> {
  /** How many match from these places on. */
  const table: number[][] = Array.from({ length: arrived.length + 1 }, () => []);
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (const [i, said] of [...arrived.entries()].reverse())
    for (const [j, event] of [...wanted.entries()].reverse())
      (table[i] ??= [])[j] = tells(said, event) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const events = new Map<number, Event>();
  const unmatched: Event[] = [];
  let i = 0;
  for (let j = 0; j < wanted.length;) {
    const [said, event] = [arrived[i], wanted[j]];
    if (event === undefined) break;
    if (said !== undefined && tells(said, event)) {
      events.set(i++, event);
      j++;
    } else if (said !== undefined && at(i + 1, j) >= at(i, j + 1)) i++;
    else {
      unmatched.push(event);
      j++;
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
