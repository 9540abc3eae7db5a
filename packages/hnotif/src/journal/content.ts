import { z } from 'zod';
import type { StreamName } from '../dispatch/log-entry.ts';
import { changeBetween, inverseOf, withChange, type TableChange } from '../dispatch/target-tables.ts';
import type { LifecycleEvent, TargetState } from '../lifecycle/event.ts';
import {
  COUNT,
  EVENT,
  eventOf,
  TARGET_ROW,
  targetOf,
  type PlainEvent,
  type Subject,
} from '../lifecycle/event-json.ts';
import { NO_MARKS } from '../lifecycle/high-water-marks.ts';
import type { Observed } from '../lifecycle/observed.ts';
import { SINK_TYPES } from '../resources/kinds.ts';

/** A row, and the job that works on the target. */
const OBSERVED_ROW = z.tuple([z.string(), z.string(), z.string(), z.string(), z.string()]).readonly();
export const CHANGE = z.union([
  z.object({ rows: z.array(TARGET_ROW).readonly() }),
  z.object({ all: z.string() }),
  z.object({ set: z.array(z.tuple([COUNT, z.string(), z.string()]).readonly()).readonly() }),
]);

export const STREAM = z.object({ notification: z.string(), sink: z.string(), type: z.enum(SINK_TYPES) });

export const OBSERVED = z.object({
  epoch: z.string(),
  rv: z.string(),
  phase: z.string(),
  cycle: z.string(),
  operation: z.string(),
  retryCount: COUNT,
  lastRetryTime: z.string(),
  lastTransitionTime: z.string(),
  errorMessage: z.string(),
  recorded: z.string(),
  run: COUNT,
  startedAt: z.string().default(''),
  open: z.boolean(),
  failed: z.boolean(),
  errorSince: z.number(),
  seq: COUNT,
  marks: z
    .object({ Start: COUNT, Success: COUNT, Failure: COUNT, Recovery: COUNT, PhaseChange: COUNT })
    .default(NO_MARKS),
  targets: z.array(OBSERVED_ROW),
  told: z.array(COUNT).readonly().default([]),
  /** What makes of these targets the table of the last event of the log. */
  last: CHANGE.optional(),
});

/** Streams, and sets of streams by their places: what the other texts of a log refer to. */
const STREAMS = z.object({ streams: z.array(STREAM), groups: z.array(z.array(COUNT)) });

/**
 * How far each stream has come: the place where it goes on, then first and last of each range that it skips behind it. Empty: nothing
 * waits in it.
 */
const CURSORS = z.array(z.array(COUNT).readonly());

/**
 * Events in order. An event waits in the streams of its group (`to`). Its target table is told by those of later events: `before` makes
 * of its table that of the event before, and `last` of what was observed that of the last event. So an old event can be taken out, and
 * a new one added, without a change of the others.
 */
const EVENTS = z.array(
  EVENT.extend({
    /** Its place in the log, where that is not its `seq`. */
    at: COUNT.optional(),
    acceptedAt: z.number(),
    to: COUNT,
    before: CHANGE.optional(),
  }),
);

export type ObservedContent = z.input<typeof OBSERVED>;
export type StreamsContent = z.output<typeof STREAMS>;
export type EventContent = z.output<typeof EVENTS>[number];

type Table = readonly TargetState[];

/** What waits, as a journal tells it: an event, and the streams in which it waits. */
export interface KeptEvent {
  readonly event: LifecycleEvent;
  readonly to: readonly StreamName[];
  /** Milliseconds since the epoch. */
  readonly acceptedAt: number;
}

/** `last`: the target table of the last event of the log, where there is one. */
export function observedContent({ targets, ...observed }: Observed, last?: Table): ObservedContent {
  const change = last && changeBetween(targets, last);
  return {
    ...observed,
    targets: targets.map(
      ({ name, executor, state, message, jobRef }) => [name, executor, state, message, jobRef] as const,
    ),
    ...(change && { last: change }),
  };
}

/** What `observedContent` has written, as `OBSERVED` has read it. */
export function observedOf({ targets, last: _, ...observed }: z.output<typeof OBSERVED>): Observed {
  return { ...observed, targets: targets.map((row) => ({ ...targetOf(row), jobRef: row[4] })) };
}

/** The texts of a log, as JSON. */
interface LogJson {
  readonly observed: z.output<typeof OBSERVED>;
  readonly streams: unknown;
  readonly cursors: unknown;
  /** In order. */
  readonly events: readonly unknown[];
}

/** What waits, in order; each event is made when it is asked for. Throws a `ZodError` for what cannot be read. */
export function eventsOf(json: LogJson, subject: Subject): () => Iterable<KeptEvent> {
  const { streams, groups } = STREAMS.parse(json.streams);
  const cursors = CURSORS.parse(json.cursors);
  const events = json.events.flatMap((some) => EVENTS.parse(some));
  const { targets, last } = json.observed;
  // From the last table back to the first, and what leads forth again.
  let first = withChange(targets.map(targetOf), last);
  const changes: (TableChange | undefined)[] = [];
  for (const [index, { before }] of [...events.entries()].reverse()) {
    if (before === undefined || index === 0) continue;
    changes[index] = inverseOf(first, before);
    first = withChange(first, before);
  }
  const log: KeptLog = {
    ...{ events, first, streams },
    change: (index) => changes[index],
    waits: (index) => {
      const { to, at, seq } = events[index] ?? { to: -1, seq: 0 };
      return (groups[to] ?? []).filter((place) => waitsAt(cursors[place], at ?? seq));
    },
  };
  return () => keptEvents(log, subject);
}

/** What a journal has of a log, whatever its layout. */
export interface KeptLog {
  /** In order. */
  readonly events: readonly (PlainEvent & { readonly acceptedAt: number })[];
  /** The target table before the first event has changed it. */
  readonly first: readonly TargetState[];
  /** What the event at this place of `events` has changed in the target table. */
  readonly change: (index: number) => TableChange | undefined;
  readonly streams: readonly StreamName[];
  /** The places of the streams in which the event at this place of `events` waits. */
  readonly waits: (index: number) => readonly number[];
}

/** What waits, in order; each event is made when it is asked for. */
export function* keptEvents(
  { events, first, change, streams, waits }: KeptLog,
  subject: Subject,
): Iterable<KeptEvent> {
  const names = new Map<string, readonly StreamName[]>();
  let table = first;
  for (const [index, event] of events.entries()) {
    table = withChange(table, change(index));
    const places = waits(index);
    const key = places.join();
    // One list for all that have the same: the log compares lists by identity first.
    const to = names.get(key) ?? places.flatMap((place) => streams[place] ?? []);
    names.set(key, to);
    if (to.length > 0) yield { event: eventOf(event, table, subject), to, acceptedAt: event.acceptedAt };
  }
}

function waitsAt(cursor: readonly number[] | undefined, at: number): boolean {
  const [next = Infinity, ...skips] = cursor ?? [];
  if (at < next) return false;
  for (let index = 0; index < skips.length; index += 2)
    if ((skips[index] ?? 0) <= at && at <= (skips[index + 1] ?? 0)) return false;
  return true;
}

/** How many characters of a message are kept where a journal would be too large… */
const MESSAGE = 256;
/** …and of a failed target's, and of a run's error. */
const FAILED_MESSAGE = 1024;

/** The same with long messages shortened: what was to be told is told, if not in full. */
export const shortObserved = ({ last, ...content }: ObservedContent): ObservedContent => ({
  ...content,
  errorMessage: cut(content.errorMessage, FAILED_MESSAGE),
  targets: content.targets.map(shortRow),
  ...(last && { last: shortChange(last) }),
});

/** The same of an event that waits. */
export const shortEvent = ({ before, target, errorMessage, ...event }: EventContent): EventContent => ({
  ...event,
  ...(target && { target: shortRow(target) }),
  ...(errorMessage !== undefined && { errorMessage: cut(errorMessage, FAILED_MESSAGE) }),
  ...(before && { before: shortChange(before) }),
});

function shortRow<T extends readonly [string, string, string, string, ...string[]]>(row: T): T {
  const [name, executor, state, message, ...rest] = row;
  return [name, executor, state, ofTarget(state, message), ...rest] as unknown as T;
}

function shortChange(change: TableChange): TableChange {
  if ('rows' in change) return { rows: change.rows.map(shortRow) };
  if ('all' in change) return change;
  return {
    set: change.set.map(([place, state, message]) => [place, state, ofTarget(state, message)] as const),
  };
}

const ofTarget = (state: string, message: string): string =>
  cut(message, state === 'Failed' ? FAILED_MESSAGE : MESSAGE);

/** Never through the middle of a surrogate pair, which would not be a text any more. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
