import { streamKey } from '../dispatch/log-entry.ts';
import type { Observed, Subject } from '@hnotif/core/lifecycle';
import type { JournalEntry, Plan } from '@hnotif/core/resources';
import { readEntry, type StoredPlan } from './entry.ts';
import { idPart, parseOutcomeLine } from './outcome-line.ts';

/** A journal object in which a plan was found. */
interface FoundIn {
  readonly name: string;
  /** Of its last writer. */
  readonly term: number;
  entry(uid: string): JournalEntry | undefined;
}

/** What an earlier process has stored of a plan that was just seen for the first time. */
export interface FoundPlan<O> {
  /** All objects with an entry of the plan. */
  readonly objects: readonly O[];
  /** Undefined: no entry can be read. */
  readonly stored: StoredPlan | undefined;
  /** The object with the newest entry that can be read. */
  readonly last: O | undefined;
  /** Those with an entry that cannot be read. */
  readonly unreadable: readonly O[];
}

/** The stored data of a plan that was seen for the first time. */
export type Recalled =
  /** There is none: the plan begins from a baseline. */
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'found';
      readonly observed: Observed;
      /** The plan was deleted, and its deliveries still wait: they belong to this plan. */
      readonly live?: { current: Plan };
    }
  /** Its journal has the layout of another version of hnotif. The plan is not served. */
  | { readonly kind: 'newer' };

/**
 * Reads the entries of a plan. A plan that moved between objects may have several. Of those with the same epoch, which are versions of one
 * entry, the one with the highest `gen` is the newest: the object of an older one may have a higher term, for another plan's sake. Between
 * epochs the term decides.
 */
export function readFound<O extends FoundIn>(
  { namespace, name, uid }: Subject,
  objects: readonly O[],
): FoundPlan<O> {
  const entries = objects
    .map((object) => ({ object, stored: readEntry(object.entry(uid), { namespace, name, uid }) }))
    .sort((a, b) => {
      const byGen = (b.stored?.gen ?? 0) - (a.stored?.gen ?? 0);
      const isOne = a.stored?.observed.epoch === b.stored?.observed.epoch;
      return isOne ? byGen || b.object.term - a.object.term : b.object.term - a.object.term || byGen;
    });
  const [newest, ...older] = entries.flatMap(({ stored }) => stored ?? []);
  return {
    objects: entries.map(({ object }) => object),
    stored: newest && merged(newest, older),
    last: entries.find(({ stored }) => stored !== undefined)?.object,
    unreadable: entries.flatMap(({ object, stored }) => (stored === undefined ? [object] : [])),
  };
}

/**
 * The newest entry of a plan, with what only older entries have. An older entry of the same epoch is an earlier version of it: the plan has
 * moved. An older entry of another epoch was not known to the process that wrote the newest one. Its deliveries still wait, and come first.
 * `older`: the oldest last.
 */
function merged(newest: StoredPlan, older: readonly StoredPlan[]): StoredPlan {
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
