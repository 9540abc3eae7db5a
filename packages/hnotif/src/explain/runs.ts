import {
  type EventFacts,
  type FailedTargets,
  failedTargets,
  latestEnd,
  parseTime,
  restingPhase,
  runStart,
  stateOf,
} from '@hnotif/core/lifecycle';
import { groupedBy } from '@hnotif/core/grouped-by';
import type { RunState } from '@hnotif/core/page';
import type { HistoryOperation, Plan, PlanStatus } from '@hnotif/core/resources';

/** One execution of an operation, as far as it is known. */
export interface Run {
  readonly operation: string;
  readonly state: RunState;
  /** Milliseconds since the epoch. */
  readonly began: number;
  /** Undefined: it runs. */
  readonly ended?: number;
  /** When it was last known to run, or ended. */
  readonly seen: number;
  /** Why it failed, or had failed before a retry; `''`: it did not. */
  readonly error: string;
  readonly failed?: FailedTargets;
  readonly retries: number;
}

/** An event that says how a run went. */
export interface RunEvent {
  readonly kind: string;
  readonly facts: EventFacts;
}

/** An event that comes later belongs to the next run (milliseconds): without a Start, it would join the run of the night before. */
const SILENCE_MS = 6 * 3_600_000;

/** The runs that events tell. The events are of one plan, in the order of time. */
export function runsOfEvents(events: readonly RunEvent[]): readonly Run[] {
  const runs: Run[] = [];
  for (const { kind, facts } of events) {
    const { error = '', failed, operation, time, took } = facts;
    const at = parseTime(time);
    if (at === undefined) continue;
    const began = at - 1_000 * (took ?? 0);
    const last = runs.at(-1);
    const isOpen = last?.operation === operation && last.state !== 'completed' && last.state !== 'incomplete';
    const run: Run =
      isOpen && kind !== 'Start' && began - last.seen <= SILENCE_MS
        ? last
        : { operation, state: 'running', began, seen: at, error: '', retries: 0 };
    const next = after(run, kind, { at, error, failed });
    if (run === last) runs.pop();
    runs.push(next);
  }
  return runs;
}

function after(
  { ended: _, failed: __, ...before }: Run,
  kind: string,
  {
    at,
    error,
    failed,
  }: { readonly at: number; readonly error: string; readonly failed: FailedTargets | undefined },
): Run {
  const targets = failed && { failed };
  const run = { ...before, seen: at };
  switch (kind) {
    case 'Success':
      return { ...run, state: failed === undefined ? 'completed' : 'incomplete', ended: at, ...targets };
    case 'Failure':
      return { ...run, state: 'failed', ended: at, error, ...targets };
    case 'Recovery':
      return { ...run, state: 'running', error, retries: run.retries + 1 };
    default:
      return run;
  }
}

/** The runs that a plan's status tells: those of its history, and the present one. */
export function runsOfStatus(status: PlanStatus): readonly Run[] {
  const past = status.history.flatMap(({ operations }) => operations.flatMap((row) => runOfRow(row) ?? []));
  const present = presentRun(status);
  // Its row in the history may be that of an earlier try.
  const all = present === undefined ? past : [...past.filter((run) => !isSame(run, present)), present];
  return all.toSorted((a, b) => a.began - b.began);
}

function runOfRow({
  endTime,
  errorMessage,
  operation,
  startTime,
  success,
  targetResults,
}: HistoryOperation): Run | undefined {
  const [began, ended] = [parseTime(startTime), parseTime(endTime)];
  if (began === undefined) return undefined;
  const failed = failedTargets(targetResults.map(stateOf));
  const end =
    errorMessage !== '' && success === false ? 'failed' : failed === undefined ? 'completed' : 'incomplete';
  return {
    ...{ operation, began, seen: ended ?? began, error: success === false ? errorMessage : '', retries: 0 },
    ...(ended === undefined ? { state: 'running' } : { state: end, ended }),
    ...(failed && { failed }),
  };
}

function presentRun(status: PlanStatus): Run | undefined {
  const { errorMessage, executions, operation, phase } = status;
  const began = parseTime(runStart(status));
  if (operation === '' || executions.length === 0 || began === undefined) return undefined;
  const failed = failedTargets(executions.map(stateOf));
  const ended = parseTime(latestEnd(status)) ?? parseTime(status.lastTransitionTime) ?? began;
  const run = { operation, began, seen: ended, retries: status.retryCount ?? 0 };
  if (phase === 'Error')
    return { ...run, state: 'failed', ended, error: errorMessage, ...(failed && { failed }) };
  if (phase !== restingPhase(operation)) return { ...run, state: 'running', error: errorMessage };
  return { ...run, state: failed ? 'incomplete' : 'completed', ended, error: '', ...(failed && { failed }) };
}

/** The clock times of one run may differ by this (milliseconds): when the plan changed, and when its first target started. */
const SLACK_MS = 60_000;

/**
 * The runs of two sources. Of a run that both know, the one that knows its later end counts: the events of a plan to which nobody subscribes
 * are not in its journal, and a history has no retries: each try may be a row there. `first` counts if they know the same.
 */
export function merged(first: readonly Run[], second: readonly Run[]): readonly Run[] {
  const tries = groupedBy(second, (row) => nearest(first, row));
  const both = first.map((run): Run => {
    const other = tries
      .get(run)
      ?.toSorted((a, b) => (a.ended ?? Infinity) - (b.ended ?? Infinity))
      .at(-1);
    const isLater = other !== undefined && (other.ended ?? 0) > (run.ended ?? 0) + SLACK_MS;
    const isEnd = other?.ended !== undefined && run.ended === undefined;
    if (other === undefined || !(isLater || isEnd)) return run;
    return {
      ...other,
      began: run.began,
      error: other.error || run.error,
      retries: Math.max(run.retries, other.retries),
    };
  });
  return [...both, ...(tries.get(undefined) ?? [])].sort((a, b) => a.began - b.began);
}

/** The run of which a row tells. If there are several, the one with which it shares the most time. */
function nearest(runs: readonly Run[], row: Run): Run | undefined {
  const shared = (run: Run): number => Math.min(run.seen, row.seen) - Math.max(run.began, row.began);
  return runs.filter((run) => isSame(run, row)).toSorted((a, b) => shared(b) - shared(a))[0];
}

const isSame = (a: Run, b: Run): boolean =>
  a.operation === b.operation && a.began <= b.seen + SLACK_MS && b.began <= a.seen + SLACK_MS;

/** All known runs of a plan. */
export const runsOf = ({ status }: Pick<Plan, 'status'>, events: readonly RunEvent[]): readonly Run[] =>
  merged(runsOfEvents(events), runsOfStatus(status));
