import { z } from 'zod';
import type { LifecycleEvent, TargetState } from '../lifecycle/event.ts';
import type { ObservedTarget } from '../lifecycle/observed.ts';
import { EVENT_KINDS, SINK_TYPES } from '../resources/kinds.ts';
import { ROOT_STATUSES } from '../sinks/teamchat/thread/root.ts';
import type { RootRecord } from '../sinks/teamchat/thread/store.ts';
import { Book, streamKey, type StreamName } from './book.ts';
import { changeBetween, isSameTable, rowOf, targetOf, withChange } from './tables.ts';

const ROW = z.tuple([z.string(), z.string(), z.string(), z.string()]).readonly();
/** A row, and the job that works on the target. */
const OBSERVED_ROW = z.tuple([z.string(), z.string(), z.string(), z.string(), z.string()]).readonly();
const COUNT = z.number().int().nonnegative();

/** What an event is made of, its target table aside. */
const EVENT = z.object({
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

const CHANGE = z.union([
  z.object({ rows: z.array(ROW).readonly() }),
  z.object({ all: z.string() }),
  z.object({ set: z.array(z.tuple([COUNT, z.string(), z.string()]).readonly()).readonly() }),
]);

/**
 * What a journal says of its plan. `table` is the target table before the oldest event of the log, each event of which says
 * what it changed in it; it is left out where it is the observed one. `waits` are places in `streams`.
 */
const CONTENT = z.object({
  observed: z.object({
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
  }),
  streams: z
    .array(z.object({ notification: z.string(), sink: z.string(), type: z.enum(SINK_TYPES) }))
    .default([]),
  table: z.array(ROW).optional(),
  log: z
    .array(EVENT.extend({ acceptedAt: z.number(), waits: z.array(COUNT), change: CHANGE.optional() }))
    .default([]),
  roots: z
    .array(
      z.object({
        key: z.string(),
        status: z.enum(ROOT_STATUSES),
        shown: EVENT.extend({ targets: z.array(ROW), total: COUNT, done: COUNT }),
        retryCount: COUNT,
        errorMessage: z.string(),
        lastSeq: COUNT,
        sent: z.string(),
        place: z.object({ asked: z.string(), channel: z.string(), ts: z.string() }).readonly().optional(),
      }),
    )
    .default([]),
  // They are there to be looked at: no journal is unreadable for them.
  outcomes: z.array(z.string()).catch([]),
});

export type Content = z.output<typeof CONTENT>;
type PlainEvent = z.output<typeof EVENT>;
type ObservedRow = z.output<typeof OBSERVED_ROW>;

/** Whose journal it is: what its events need not repeat. */
export interface Subject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The book as JSON. */
export function contentOf(book: Book): Content {
  const streams = new Map<string, { readonly place: number; readonly stream: StreamName }>();
  const placeOf = (stream: StreamName): number => {
    const key = streamKey(stream);
    const known = streams.get(key) ?? { place: streams.size, stream };
    streams.set(key, known);
    return known.place;
  };
  const entries = [...book.entries.values()];
  const first = entries[0]?.event.targets ?? book.observed.targets;
  let table = first;
  const log = entries.map(({ event, acceptedAt, waits }) => {
    const change = changeBetween(table, event.targets);
    table = event.targets;
    return {
      ...plainEvent(event),
      acceptedAt,
      waits: [...waits.values()].map(placeOf),
      ...(change && { change }),
    };
  });
  const { targets, ...observed } = book.observed;
  return {
    observed: {
      ...observed,
      targets: targets.map((target): ObservedRow => [...rowOf(target), target.jobRef]),
    },
    streams: [...streams.values()].map(({ stream }) => stream),
    ...(!isSameTable(first, targets) && { table: first.map(rowOf) }),
    log,
    roots: [...book.roots].map(([key, record]) => plainRoot(key, record)),
    outcomes: [...book.outcomes],
  };
}

/** The book of a plan from a journal's JSON. Throws a `ZodError` for what is none. */
export function bookOf(json: unknown, subject: Subject): Book {
  const { observed, streams, table, log, roots, outcomes } = CONTENT.parse(json);
  const book = new Book({
    ...observed,
    targets: observed.targets.map((row): ObservedTarget => ({ ...stateOf(row), jobRef: row[4] })),
  });
  let targets: readonly TargetState[] = table?.map(targetOf) ?? observed.targets.map(stateOf);
  for (const { acceptedAt, waits, change, ...plain } of log) {
    targets = withChange(targets, change);
    const to = waits.flatMap((place) => streams[place] ?? []);
    if (to.length > 0) book.add(eventOf(plain, targets, subject), acceptedAt, to);
  }
  for (const { key, status, shown, retryCount, errorMessage, lastSeq, sent, place } of roots) {
    const { total, done, targets: rows, ...plain } = shown;
    const event = { ...eventOf(plain, rows.map(targetOf), subject), total, done };
    book.keepRoot(key, { wanted: { status, shown: event, retryCount, errorMessage, lastSeq }, sent, place });
  }
  book.outcomes = outcomes;
  return book;
}

const stateOf = ([name, executor, state, message]: ObservedRow): TargetState => ({
  name,
  executor,
  state,
  message,
});

function plainEvent(event: LifecycleEvent): PlainEvent {
  const { id, seq, kind, run, cycle, operation, phase, previousPhase, timestamp } = event;
  const { targetExecution, errorMessage, retryCount } = event;
  return {
    ...{ id, seq, kind, run, cycle, operation, phase, previousPhase, timestamp },
    ...(targetExecution && { target: rowOf(targetExecution) }),
    ...(errorMessage !== '' && { errorMessage }),
    ...(retryCount !== 0 && { retryCount }),
  };
}

function eventOf(
  { target, errorMessage = '', retryCount = 0, ...plain }: PlainEvent,
  targets: readonly TargetState[],
  { namespace, name, uid }: Subject,
): LifecycleEvent {
  const targetExecution = target && targetOf(target);
  return {
    ...plain,
    errorMessage,
    retryCount,
    targets,
    targetExecution,
    namespace,
    plan: name,
    planUid: uid,
  };
}

function plainRoot(key: string, { wanted, sent, place }: RootRecord): Content['roots'][number] {
  const { shown, ...root } = wanted;
  const { total, done, targets } = shown;
  return {
    key,
    ...root,
    shown: { ...plainEvent(shown), targets: targets.map(rowOf), total, done },
    sent,
    place,
  };
}
