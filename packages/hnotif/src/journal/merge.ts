import { streamKey } from '../dispatch/log-entry.ts';
import type { StoredPlan } from './entry.ts';
import { idPart, parseOutcomeLine } from './outcome-line.ts';

/**
 * The newest entry of a plan, with what only older entries have. An older entry of the same epoch is an earlier version of it: the plan has
 * moved. An older entry of another epoch was not known to the process that wrote the newest one. Its deliveries still wait, and come first.
 * `older`: the oldest last.
 */
export function merged(newest: StoredPlan, older: readonly StoredPlan[]): StoredPlan {
  const others = older.filter(({ observed }) => observed.epoch !== newest.observed.epoch);
  if (others.length === 0) return newest;
  const known = new Set([...endedIn(newest), ...waitingIn(newest)]);
  const events = others.toReversed().flatMap((other) =>
    [...other.events()].flatMap((event) => {
      const to = event.to.filter((stream) => {
        const key = keyOf(streamKey(stream), event.event.id);
        return !known.has(key) && known.add(key);
      });
      return to.length === 0 ? [] : [{ ...event, to }];
    }),
  );
  const all = [...events, ...newest.events()];
  // Events of two entries may have the same numbers. Those that follow have higher ones than the position of the last one in the log.
  const last = all.reduce((at, { event }) => Math.max(event.seq, at + 1), -1);
  const values = [...others.toReversed().flatMap(({ sinks }) => sinks), ...newest.sinks];
  return {
    ...newest,
    observed: { ...newest.observed, seq: Math.max(newest.observed.seq, last) },
    events: () => all,
    sinks: [...new Map(values.map((value) => [`${value.stream} ${value.key}`, value])).values()],
  };
}

const keyOf = (stream: string, id: string): string => `${stream} ${idPart(id)}`;

function* waitingIn({ events }: StoredPlan): Iterable<string> {
  for (const { event, to } of events()) for (const stream of to) yield keyOf(streamKey(stream), event.id);
}

function* endedIn({ outcomes, nights }: StoredPlan): Iterable<string> {
  for (const line of [...Object.values(outcomes), ...Object.values(nights)]) {
    const { ids = [], stream = '' } = parseOutcomeLine(line) ?? {};
    for (const id of ids) yield keyOf(stream, id);
  }
}
