import * as z from 'zod';
import type { StreamName } from '../dispatch/log-entry.ts';
import { changeBetween, inverseOf, withChange, type TableChange } from '../dispatch/target-tables.ts';
import {
  type LifecycleEvent,
  type TargetState,
  COUNT,
  EVENT,
  eventOf,
  TARGET_ROW,
  targetOf,
  type Subject,
  NO_MARKS,
  type Observed,
} from '@hnotif/core/lifecycle';
import { SINK_TYPES } from '@hnotif/core/resources';

/** A row of the target table, and the job that works on the target. */
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
  peak: z.object({ rv: z.string(), second: COUNT }).optional(),
  /** The change from these targets to the table of the last event in the log. */
  last: CHANGE.optional(),
});

/** Streams, and groups of streams by their indexes. The other texts of a log refer to them. */
const STREAMS = z.object({ streams: z.array(STREAM), groups: z.array(z.array(COUNT)) });

/**
 * The cursor of each stream: the position of its next event, then first and last position of each range that it skips. Empty: nothing
 * waits. Two numbers: the position, and the index of an earlier stream that skips the same ranges. (An older hnotif ignores the
 * index. It sends the events that were dropped.)
 */
const CURSORS = z.array(z.array(COUNT).readonly());

export type CursorContent = z.output<typeof CURSORS>[number];

/** The cursors with the ranges that each skips. */
const wholeCursors = (cursors: readonly CursorContent[]): readonly CursorContent[] =>
  cursors.map((cursor) => {
    const [at = 0, index = 0] = cursor;
    return cursor.length === 2 ? [at, ...(cursors[index] ?? []).slice(1)] : cursor;
  });

/**
 * Events in order. An event waits in the streams of its group (`to`). Target tables are stored as changes from the newest one back: `last`
 * of the observed state leads to the table of the last event, and `before` from the table of an event to the one before it. So an old event
 * can be removed, and a new one added, without changing the others.
 */
const EVENTS = z.array(
  EVENT.extend({
    /** Its position in the log, if that is not its `seq`. */
    at: COUNT.optional(),
    acceptedAt: z.number(),
    to: COUNT,
    before: CHANGE.optional(),
  }),
);

export type ObservedContent = z.input<typeof OBSERVED>;
export type StreamsContent = z.output<typeof STREAMS>;
export type EventContent = z.input<typeof EVENTS>[number];

type Table = readonly TargetState[];

/** An event in a journal, and the streams in which it waits. */
export interface StoredEvent {
  readonly event: LifecycleEvent;
  readonly to: readonly StreamName[];
  /** Milliseconds since the epoch. */
  readonly acceptedAt: number;
}

/** `last`: the target table of the last event in the log, if there is one. */
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

/** The reverse of `observedContent`, for content that `OBSERVED` has parsed. */
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

/** The events that wait, in order. Each is made on demand. Throws a `ZodError` for invalid content. */
export function eventsOf(json: LogJson, subject: Subject): () => Iterable<StoredEvent> {
  const { streams, groups } = STREAMS.parse(json.streams);
  const cursors = wholeCursors(CURSORS.parse(json.cursors));
  const events = json.events.flatMap((some) => EVENTS.parse(some));
  const { targets, last } = json.observed;
  // Goes from the last table back to the first, and notes the changes forward.
  let first = withChange(targets.map(targetOf), last);
  const changes: (TableChange | undefined)[] = [];
  for (const [index, { before }] of [...events.entries()].reverse()) {
    if (before === undefined || index === 0) continue;
    changes[index] = inverseOf(first, before);
    first = withChange(first, before);
  }
  return function* () {
    const names = new Map<string, readonly StreamName[]>();
    let table = first;
    for (const [index, event] of events.entries()) {
      const { acceptedAt, at = event.seq, to: group } = event;
      table = withChange(table, changes[index]);
      const places = (groups[group] ?? []).filter((place) => waitsAt(cursors[place], at));
      const key = places.join();
      // Equal lists are one object: the log compares them by identity first.
      const to = names.get(key) ?? places.flatMap((place) => streams[place] ?? []);
      names.set(key, to);
      if (to.length > 0) yield { event: eventOf(event, table, subject), to, acceptedAt };
    }
  };
}

function waitsAt(cursor: readonly number[] | undefined, at: number): boolean {
  const [next = Infinity, ...skips] = cursor ?? [];
  if (at < next) return false;
  for (let index = 0; index < skips.length; index += 2)
    if ((skips[index] ?? 0) <= at && at <= (skips[index + 1] ?? 0)) return false;
  return true;
}

/** The length of a target's message when a journal would be too large (characters)… */
const MESSAGE = 256;
/** …and of the message of a failed target, or of the run's error. */
const FAILED_MESSAGE = 1024;

/** The same with long messages cut. */
export const shortObserved = ({ last, ...content }: ObservedContent): ObservedContent => ({
  ...content,
  errorMessage: cut(content.errorMessage, FAILED_MESSAGE),
  targets: content.targets.map(shortRow),
  ...(last && { last: shortChange(last) }),
});

/** The same for an event. */
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

/** Does not split a surrogate pair. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
