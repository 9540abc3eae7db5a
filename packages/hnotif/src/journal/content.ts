import { z } from 'zod';
import type { LifecycleEvent, TargetState } from '../lifecycle/event.ts';
import { NO_MARKS } from '../lifecycle/marks.ts';
import type { Observed, ObservedTarget } from '../lifecycle/observed.ts';
import { EVENT_KINDS, SINK_TYPES } from '../resources/kinds.ts';
import { ROOT_STATUSES } from '../sinks/teamchat/thread/root.ts';
import type { RootRecord } from '../sinks/teamchat/thread/store.ts';
import type { Stream } from '../dispatch/stream.ts';
import { isSameTable, rowOf, targetOf, withChange } from '../dispatch/target-tables.ts';
import type { StreamName } from '../dispatch/log-entry.ts';
import type { LoggedEvent } from '../dispatch/delivery.ts';
import type { JournalState } from './state.ts';

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

const STREAM = z.object({ notification: z.string(), sink: z.string(), type: z.enum(SINK_TYPES) });

const REST = {
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
    marks: z
      .object({ Start: COUNT, Success: COUNT, Failure: COUNT, Recovery: COUNT, PhaseChange: COUNT })
      .default(NO_MARKS),
    targets: z.array(OBSERVED_ROW),
    told: z.array(COUNT).readonly().default([]),
  }),
  table: z.array(ROW).optional(),
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
};

const LOGGED = EVENT.extend({ acceptedAt: z.number(), change: CHANGE.optional() });

/**
 * What a journal says of its plan (layout 2). `table` is the target table before the oldest event of the log, each event of which says
 * what it changed in it; it is left out where it is the observed one. An event waits in the streams of its group (`to`), by their
 * places in `streams`, but for those that have come further (`next`, a seq) or skip it (`skips`, ranges of seqs).
 */
const CONTENT = z.object({
  ...REST,
  streams: z
    .array(STREAM.extend({ next: COUNT, skips: z.array(z.tuple([COUNT, COUNT]).readonly()).optional() }))
    .default([]),
  groups: z.array(z.array(COUNT)).default([]),
  log: z.array(LOGGED.extend({ to: COUNT })).default([]),
});

/** Layout 1, which is read, and written no more: each event names the streams in which it waits. */
const CONTENT_1 = z.object({
  ...REST,
  streams: z.array(STREAM).default([]),
  log: z.array(LOGGED.extend({ waits: z.array(COUNT) })).default([]),
});

export type Content = z.output<typeof CONTENT>;
type Content1 = z.output<typeof CONTENT_1>;
type PlainEvent = z.output<typeof EVENT>;
type ObservedRow = z.output<typeof OBSERVED_ROW>;

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

/** What a journal tells of its plan. */
export interface Kept {
  readonly observed: Observed;
  /** In order; each is made when it is asked for. */
  readonly events: () => Iterable<KeptEvent>;
  readonly roots: readonly (readonly [key: string, record: RootRecord])[];
  readonly outcomes: string[];
}

/** The state as JSON. */
export function contentOf({ log, observed: seen, roots, outcomes }: JournalState): Content {
  const entries = log.entries();
  const streams = new Map<Stream, number>();
  const told: Content['streams'] = [];
  for (const stream of log.streams.values()) {
    const first = log.first(stream);
    if (first === undefined) continue;
    const { notification, sink } = stream.to;
    streams.set(stream, told.length);
    const skips = stream.skipped();
    told.push({
      notification,
      sink,
      type: stream.sinkType,
      next: first.at,
      ...(skips.length > 0 && { skips }),
    });
  }
  const groups = new Map<ReadonlySet<Stream>, number>();
  const numberOf = (group: ReadonlySet<Stream>): number => {
    const known = groups.get(group) ?? groups.size;
    groups.set(group, known);
    return known;
  };
  const { targets, ...observed } = seen;
  const [first] = entries;
  const table = first === undefined ? targets : log.tableOf(first);
  let before = first;
  const written = entries.map((entry) => {
    const change = before && log.changesOf(before, entry);
    before = entry;
    const { acceptedAt } = entry;
    return { ...plainEvent(entry), acceptedAt, to: numberOf(entry.group), ...(change && { change }) };
  });
  return {
    observed: {
      ...observed,
      targets: targets.map((target): ObservedRow => [...rowOf(target), target.jobRef]),
    },
    streams: told,
    groups: [...groups.keys()].map((group) => [...group].flatMap((stream) => streams.get(stream) ?? [])),
    ...(!isSameTable(table, targets) && { table: table.map(rowOf) }),
    log: written,
    roots: [...roots].map(([key, record]) => plainRoot(key, record)),
    outcomes: [...outcomes],
  };
}

/** What a journal's JSON of this layout tells. Throws a `ZodError` for what cannot be read. */
export function keptOf(json: unknown, version: number, subject: Subject): Kept {
  const { streams, waits, ...content } = version === 1 ? layout1(json) : layout2(json);
  const { observed, table, log, roots, outcomes } = content;
  function* events(): Iterable<KeptEvent> {
    const sets = new Map<string, readonly StreamName[]>();
    let targets: readonly TargetState[] = table?.map(targetOf) ?? observed.targets.map(stateOf);
    for (const [at, { acceptedAt, change, ...plain }] of log.entries()) {
      targets = withChange(targets, change);
      const places = waits(at);
      const key = places.join();
      const to = sets.get(key) ?? places.flatMap((place) => streams[place] ?? []);
      sets.set(key, to);
      if (to.length > 0) yield { event: eventOf(plain, targets, subject), to, acceptedAt };
    }
  }
  return {
    observed: {
      ...observed,
      targets: observed.targets.map((row): ObservedTarget => ({ ...stateOf(row), jobRef: row[4] })),
    },
    events,
    roots: roots.map(({ key, status, shown, retryCount, errorMessage, lastSeq, sent, place }) => {
      const { total, done, targets: rows, ...plain } = shown;
      const event = { ...eventOf(plain, rows.map(targetOf), subject), total, done };
      return [key, { wanted: { status, shown: event, retryCount, errorMessage, lastSeq }, sent, place }];
    }),
    outcomes,
  };
}

/** A layout's content, and how to find the places of the streams in which the event at a place of the log waits. */
type Layout = Pick<Content1, 'observed' | 'table' | 'roots' | 'outcomes'> & {
  readonly log: readonly (PlainEvent & Pick<Content['log'][number], 'acceptedAt' | 'change'>)[];
  readonly streams: readonly StreamName[];
  readonly waits: (at: number) => readonly number[];
};

function layout1(json: unknown): Layout {
  const { log, ...content } = CONTENT_1.parse(json);
  return { ...content, log, waits: (at) => log[at]?.waits ?? [] };
}

function layout2(json: unknown): Layout {
  const { log, streams, groups, ...content } = CONTENT.parse(json);
  const waits = (at: number): readonly number[] => {
    const { seq, to } = log[at] ?? { seq: 0, to: -1 };
    return (groups[to] ?? []).filter((place) => {
      const { next, skips = [] } = streams[place] ?? { next: Infinity };
      return seq >= next && !skips.some(([first, last]) => first <= seq && seq <= last);
    });
  };
  return {
    ...content,
    log,
    streams: streams.map(({ notification, sink, type }) => ({ notification, sink, type })),
    waits,
  };
}

const stateOf = ([name, executor, state, message]: ObservedRow): TargetState => ({
  name,
  executor,
  state,
  message,
});

function plainEvent(event: LoggedEvent): PlainEvent {
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
