import {
  addressIdOf,
  isSameDot,
  type DeliveryRow,
  type Dot,
  type DotState,
  type Mark,
  type Row,
  type Span,
} from '@hnotif/core/page';
import { isExpendable, streamKey } from '../../dispatch/log-entry.ts';
import { eventsShownBy } from '../../explain/plan-events.ts';
import { executingPhase, restingPhase, parseTime } from '@hnotif/core/lifecycle';
import { intern, type SinkState, type Plan, type PlanStatus } from '@hnotif/core/resources';

/** What a row keeps of the past. The oldest go first. */
const MOST = { spans: 60, marks: 120, dots: 300, changes: 60 } as const;

/** How a plan was seen before. */
export interface SeenPlan {
  readonly row: Row;
  /** The times of the events that its status showed. */
  readonly shown: ReadonlyMap<string, string>;
  /** When its last changes were seen, in order (milliseconds since the epoch). */
  readonly changes: readonly number[];
}

/** The row of a plan after a change of the plan. `before` undefined: it is seen for the first time, so its past is that of its status. */
export function seePlan(before: SeenPlan | undefined, plan: Plan, now: number): SeenPlan {
  const { namespace, name, status } = plan;
  const { phase, operation } = status;
  const shown = eventsShownBy(status);
  // A change of the phase is a band, progress is in the dots.
  const fresh = [...shown].filter(([kind, at]) => !isExpendable({ kind }) && before?.shown.get(kind) !== at);
  const marks = fresh.map(([kind, at]): Mark => ({
    kind,
    at: before === undefined ? (parseTime(at) ?? now) : now,
  }));
  const row: Row = {
    ...{ namespace, plan: name, phase, operation },
    spans: spansOf(before?.row.spans, status, now),
    marks:
      marks.length === 0
        ? (before?.row.marks ?? NONE)
        : newest([...(before?.row.marks ?? []), ...marks].sort(byTime), MOST.marks),
    dots: before?.row.dots ?? new Map(),
  };
  return { row, shown, changes: before === undefined ? [] : newest([...before.changes, now], MOST.changes) };
}

const NONE: readonly Mark[] = [];

const byTime = (a: { readonly at: number }, b: { readonly at: number }): number => a.at - b.at;

const newest = <T>(all: readonly T[], most: number): readonly T[] =>
  all.length > most ? all.slice(-most) : all;

/** The phases of a plan: those of its history when it is seen for the first time, then each that it has. */
function spansOf(known: readonly Span[] | undefined, status: PlanStatus, now: number): readonly Span[] {
  const spans = known ?? pastSpans(status);
  const last = spans.at(-1);
  if (last?.phase === status.phase) return spans;
  const since = known === undefined ? (parseTime(status.lastTransitionTime) ?? now) : now;
  return newest([...spans, { phase: status.phase, from: Math.max(since, last?.from ?? 0) }], MOST.spans);
}

function pastSpans({ history }: PlanStatus): readonly Span[] {
  const spans = history.flatMap(({ operations }) =>
    operations.flatMap(({ operation, startTime, endTime, success }): Span[] => {
      const [from, end] = [parseTime(startTime), parseTime(endTime)];
      const after = success === true ? restingPhase(operation) : 'Error';
      return [
        ...(from === undefined ? [] : [{ phase: executingPhase(operation) ?? operation, from }]),
        ...(end === undefined ? [] : [{ phase: after ?? operation, from: end }]),
      ];
    }),
  );
  return newest(
    spans.sort((a, b) => a.from - b.from),
    MOST.spans,
  );
}

/** The states of sinks, by `notification/sink`. Absent: nothing waits for long. */
export type SinkStates = ReadonlyMap<string, SinkState | undefined>;

const DOT_OF: Readonly<Record<SinkState, DotState>> = {
  Late: 'retried',
  Behind: 'waiting',
  Blocked: 'waiting',
  Paused: 'waiting',
  Held: 'waiting',
  Parked: 'parked',
  Quarantined: 'parked',
};

const OPEN: ReadonlySet<DotState> = new Set(['waiting', 'retried', 'parked']);

export const hasOpenDots = ({ dots }: Row): boolean =>
  [...dots.values()].some(({ state }) => OPEN.has(state));

/** The plan after a change of its deliveries: `found` is what the journal and the statuses tell now. */
export function seeDeliveries(seen: SeenPlan, found: readonly DeliveryRow[], sinks: SinkStates): SeenPlan {
  const { row, changes } = seen;
  const dots = new Map<string, Dot>();
  for (const each of found) {
    const stream = streamKey(each);
    const before = row.dots.get(`${stream}#${each.seq}`);
    // A delivery that waits again, as for a replay, stands after the line of its loss.
    const dot = dotOf(each, stream, sinks.get(stream), before, changes);
    dots.set(dot.id, before !== undefined && isSameDot(before, dot) ? before : dot);
  }
  const kept = [...row.dots.values()]
    .filter(({ id }) => !dots.has(id))
    .map((dot): Dot => (OPEN.has(dot.state) ? { ...dot, state: 'ended', why: GONE } : dot));
  const all = newest([...kept, ...dots.values()].sort(byTime), MOST.dots);
  return { ...seen, row: { ...row, dots: new Map(all.map((dot) => [dot.id, dot])) } };
}

const GONE =
  'it does not wait any more; the journal keeps how the messages of the last nights ended, and the last twenty others of a plan';

/**
 * One literal without spreads: a board has hundreds of thousands of dots, and V8 gives each object with many spread properties a hidden
 * class of its own, which is larger than the dot.
 */
function dotOf(
  row: DeliveryRow,
  stream: string,
  sinkState: SinkState | undefined,
  before: Dot | undefined,
  changes: readonly number[],
): Dot {
  const state = row.state === 'waiting' && sinkState !== undefined ? DOT_OF[sinkState] : row.state;
  const at = parseTime(row.at) ?? 0;
  return {
    id: `${stream}#${row.seq}`,
    seq: row.seq,
    event: intern(row.event),
    notification: intern(row.notification),
    sink: intern(row.sink),
    state: intern(state) as DotState,
    at,
    count: row.count,
    why: row.why,
    ref: addressIdOf(row),
    latencyMs: state === 'delivered' ? latencyOf(at, before, changes) : undefined,
  };
}

/** What was seen while it waited was accepted at a known time. Anything else arrived before the journal was written: soon after a change of the plan. */
function latencyOf(at: number, before: Dot | undefined, changes: readonly number[]): number | undefined {
  if (before?.latencyMs !== undefined && before.at === at) return before.latencyMs;
  const began =
    before !== undefined && OPEN.has(before.state)
      ? before.at
      : changes.findLast((change) => change <= at + SKEW_MS);
  return began === undefined ? undefined : Math.max(0, at - began);
}

/** The clocks of the controller and of the page may differ by this (milliseconds). */
const SKEW_MS = 50;
