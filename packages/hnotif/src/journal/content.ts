import { z } from 'zod';
import type { LoggedEvent } from '../dispatch/delivery.ts';
import { streamKey, type StreamName } from '../dispatch/log-entry.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import type { Stream } from '../dispatch/stream.ts';
import { rowOf, targetOf, withChange, type TableChange } from '../dispatch/target-tables.ts';
import type { LifecycleEvent, TargetState } from '../lifecycle/event.ts';
import type { Observed } from '../lifecycle/observed.ts';
import { EVENT_KINDS, SINK_TYPES } from '../resources/kinds.ts';

export const ROW = z.tuple([z.string(), z.string(), z.string(), z.string()]).readonly();
/** A row, and the job that works on the target. */
const OBSERVED_ROW = z.tuple([z.string(), z.string(), z.string(), z.string(), z.string()]).readonly();
export const COUNT = z.number().int().nonnegative();

/** What an event is made of, its target table aside. */
export const EVENT = z.object({
  id: z.string(),
  seq: COUNT,
  kind: z.enum(EVENT_KINDS),
  run: COUNT,
  cycle: z.string(),
  operation: z.string(),
  phase: z.string(),
  previousPhase: z.string(),
  timestamp: z.string(),
  target: ROW.optional(),
  errorMessage: z.string().optional(),
  retryCount: COUNT.optional(),
});

export const CHANGE = z.union([
  z.object({ rows: z.array(ROW).readonly() }),
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
  open: z.boolean(),
  failed: z.boolean(),
  errorSince: z.number(),
  seq: COUNT,
  targets: z.array(OBSERVED_ROW),
});

/**
 * The events that wait, as a journal has them. `table` is the target table before the oldest of them, each of which says what it
 * changed in it. An event waits in the streams of its group (`to`), by their places in `streams`.
 */
const LOG = z.object({
  streams: z.array(STREAM),
  groups: z.array(z.array(COUNT)),
  table: z.array(ROW),
  events: z.array(
    EVENT.extend({
      /** Its place in the log, where that is not its `seq`. */
      at: COUNT.optional(),
      acceptedAt: z.number(),
      change: CHANGE.optional(),
      to: COUNT,
    }),
  ),
});

/**
 * How far each stream of the log has come: the place where it goes on, then first and last of each range that it skips behind it.
 * Empty: nothing waits in it.
 */
const CURSORS = z.array(z.array(COUNT).readonly());

export type ObservedContent = z.input<typeof OBSERVED>;
export type LogContent = z.output<typeof LOG>;
export type PlainEvent = z.output<typeof EVENT>;

/** Whose journal it is: what its events need not repeat. */
export interface Subject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What waits, as a journal tells it: an event, and the streams in which it waits. */
export interface KeptEvent {
  readonly event: LifecycleEvent;
  readonly to: readonly StreamName[];
  /** Milliseconds since the epoch. */
  readonly acceptedAt: number;
}

export const observedContent = ({ targets, ...observed }: Observed): ObservedContent => ({
  ...observed,
  targets: targets.map((target) => [...rowOf(target), target.jobRef] as const),
});

/** What `observedContent` has written. Throws a `ZodError` for what cannot be read. */
export function observedOf(json: unknown): Observed {
  const { targets, ...observed } = OBSERVED.parse(json);
  return {
    ...observed,
    targets: targets.map(([name, executor, state, message, jobRef]) => ({
      ...{ name, executor, state, message, jobRef },
    })),
  };
}

/** The events that wait; undefined: none does. */
export function logContent(log: PlanLog): LogContent | undefined {
  const entries = log.entries();
  const [first] = entries;
  if (first === undefined) return undefined;
  const places = new Map<Stream, number>();
  for (const stream of log.streams.values()) if (stream.waiting > 0) places.set(stream, places.size);
  const groups = new Map<ReadonlySet<Stream>, number>();
  let before = first;
  const events = entries.map((entry) => {
    const change = log.changesOf(before, entry);
    before = entry;
    const { at, seq, acceptedAt, group } = entry;
    const to = groups.get(group) ?? groups.size;
    groups.set(group, to);
    return { ...plainEvent(entry), ...(at !== seq && { at }), acceptedAt, to, ...(change && { change }) };
  });
  return {
    streams: [...places.keys()].map(({ to: { notification, sink }, sinkType: type }) => ({
      ...{ notification, sink, type },
    })),
    groups: [...groups.keys()].map((group) => [...group].flatMap((stream) => places.get(stream) ?? [])),
    table: log.tableOf(first).map(rowOf),
    events,
  };
}

/** How far the streams of a log have come that was written before. */
export const cursorsContent = (log: PlanLog, streams: readonly StreamName[]): number[][] =>
  streams.map((name) => {
    const stream = log.streams.get(streamKey(name));
    if (stream === undefined) return [];
    const first = log.first(stream);
    if (first === undefined) return [];
    return [
      first.at,
      ...stream
        .skipped()
        .filter(([, last]) => last > first.at)
        .flat(),
    ];
  });

/** What waits, as `logContent` and `cursorsContent` have written it, in order; each is made when it is asked for. */
export function eventsOf(log: unknown, cursors: unknown, subject: Subject): () => Iterable<KeptEvent> {
  const { streams, groups, table, events } = LOG.parse(log);
  const places = CURSORS.parse(cursors);
  return function* () {
    const names = new Map<string, readonly StreamName[]>();
    let targets: readonly TargetState[] = table.map(targetOf);
    for (const { to: group, acceptedAt, change, at, ...plain } of events) {
      targets = withChange(targets, change);
      const waiting = (groups[group] ?? []).filter((place) => waitsAt(places[place], at ?? plain.seq));
      const key = waiting.join();
      // One list for all that have the same: the log compares lists by identity first.
      const to = names.get(key) ?? waiting.flatMap((place) => streams[place] ?? []);
      names.set(key, to);
      if (to.length > 0) yield { event: eventOf(plain, targets, subject), to, acceptedAt };
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

export function plainEvent(event: LoggedEvent): PlainEvent {
  const { id, seq, kind, run, cycle, operation, phase, previousPhase, timestamp } = event;
  const { targetExecution, errorMessage, retryCount } = event;
  return {
    ...{ id, seq, kind, run, cycle, operation, phase, previousPhase, timestamp },
    ...(targetExecution && { target: rowOf(targetExecution) }),
    ...(errorMessage !== '' && { errorMessage }),
    ...(retryCount !== 0 && { retryCount }),
  };
}

export function eventOf(
  plain: PlainEvent,
  targets: readonly TargetState[],
  { namespace, name, uid }: Subject,
): LifecycleEvent {
  const { id, seq, kind, run, cycle, operation, phase, previousPhase, timestamp, target } = plain;
  return {
    ...{ id, seq, kind, run, cycle, operation, phase, previousPhase, timestamp, targets },
    targetExecution: target && targetOf(target),
    errorMessage: plain.errorMessage ?? '',
    retryCount: plain.retryCount ?? 0,
    ...{ namespace, plan: name, planUid: uid },
  };
}

/** How many characters of a message are kept where a journal would be too large… */
const MESSAGE = 256;
/** …and of a failed target's, and of a run's error. */
const FAILED_MESSAGE = 1024;

/** The same with long messages shortened: what was to be told is told, if not in full. */
export const shortObserved = (content: ObservedContent): ObservedContent => ({
  ...content,
  errorMessage: cut(content.errorMessage, FAILED_MESSAGE),
  targets: content.targets.map(shortRow),
});

/** The same of the events that wait. */
export const shortLog = (content: LogContent): LogContent => ({
  ...content,
  table: content.table.map(shortRow),
  events: content.events.map(({ change, target, errorMessage, ...event }) => ({
    ...event,
    ...(target && { target: shortRow(target) }),
    ...(errorMessage !== undefined && { errorMessage: cut(errorMessage, FAILED_MESSAGE) }),
    ...(change && { change: shortChange(change) }),
  })),
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
