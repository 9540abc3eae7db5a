import type { Plan, PlanStatus } from '../resources/plan.ts';
import type { TargetState } from './event.ts';
import { recordedEnd } from './history.ts';
import { isDue, notAfter } from './failure.ts';
import { marksOf, NO_MARKS, type HighWaterMarks } from './high-water-marks.ts';
import { isExecuting } from './phases.ts';
import { observe, duplicatesOf } from './targets.ts';
import { parseTime } from './time.ts';
import { earliestStart } from './times.ts';
import { possiblyReported, NEVER_UNREPORTED, type ReportedStates } from './reported-states.ts';

/** A target as last observed. */
export interface ObservedTarget extends TargetState {
  readonly jobRef: string;
}

/** The newest state of a plan that was observed before its version went back. */
export interface Peak {
  /** `metadata.resourceVersion`. */
  readonly rv: string;
  /** Its newest time (seconds since the epoch). */
  readonly second: number;
}

/** What is stored of one plan (one uid): `derive` compares the next object with it. Plain JSON. */
export interface Observed {
  /** Random per journal; part of the ids of events without a time of their own. */
  readonly epoch: string;
  /** `metadata.resourceVersion`; `''` before the first object. */
  readonly rv: string;
  readonly phase: string;
  readonly cycle: string;
  readonly operation: string;
  /** The plan's count, or our own if the plan has none. */
  readonly retryCount: number;
  /** As written, or `''`. */
  readonly lastRetryTime: string;
  /** As written, or `''`. */
  readonly lastTransitionTime: string;
  /** In Error only: the Recovery may be observed after the plan has cleared it. Else `''`. */
  readonly errorMessage: string;
  /** The end of the present run in the plan's history, or `''`: see `history.ts`. */
  readonly recorded: string;
  /** Counts the plan's executions; 0 before the first. */
  readonly run: number;
  /** When the present run began, RFC 3339 in UTC with milliseconds; `''`: not known. */
  readonly startedAt: string;
  /** Whether the run's Success is still to come. */
  readonly open: boolean;
  /** Whether the present Error phase has had its Failure. */
  readonly failed: boolean;
  /** When the present Error phase began, in milliseconds since the epoch; 0 outside Error. */
  readonly errorSince: number;
  /** Of the last event. */
  readonly seq: number;
  /** The newest times in event ids. */
  readonly marks: HighWaterMarks;
  /** In the plan's order. */
  readonly targets: readonly ObservedTarget[];
  /** The reported states of each target, in the order of `targets`: see `reported-states.ts`. */
  readonly told: readonly ReportedStates[];
  /** Absent: the plan's version has not gone back, or newer states have followed: see `past.ts`. */
  readonly peak?: Peak;
}

/** Whether `derive` has changed nothing but the object's version. */
export function isSameButVersion(a: Observed, b: Observed): boolean {
  const { rv: _, targets: before, ...ofA } = a;
  const { rv: __, targets: after, ...ofB } = b;
  return (
    before.length === after.length &&
    before.every((target, at) => target === after[at]) &&
    (Object.keys(ofA) as (keyof typeof ofA)[]).every((field) => ofA[field] === ofB[field])
  );
}

/** For a plan that is created while this process watches: its first object makes events. */
export const emptyBaseline = (epoch: string): Observed => ({
  epoch,
  rv: '',
  phase: '',
  cycle: '',
  operation: '',
  retryCount: 0,
  lastRetryTime: '',
  lastTransitionTime: '',
  errorMessage: '',
  recorded: '',
  run: 0,
  startedAt: '',
  open: false,
  failed: false,
  errorSince: 0,
  seq: 0,
  marks: NO_MARKS,
  targets: [],
  told: [],
});

/**
 * For a plan that existed before this process: its present state makes no event. A run in progress is open, so its end makes one. A
 * failure that was due before `now` counts as reported. Another process may have reported the present state: its times make no ids.
 */
export function silentBaseline(
  plan: Plan,
  epoch: string,
  now: number,
  options: { readonly failureAfterMs: number },
): Observed {
  const { status } = plan;
  const inError = status.phase === 'Error';
  const running = hasRun(status);
  const seen: Observed = {
    ...emptyBaseline(epoch),
    rv: plan.resourceVersion,
    phase: status.phase,
    cycle: status.cycleId,
    operation: status.operation,
    retryCount: status.retryCount ?? 0,
    lastRetryTime: status.lastRetryTime ?? '',
    lastTransitionTime: status.lastTransitionTime,
    errorMessage: inError ? status.errorMessage : '',
    recorded: recordedEnd(status),
    run: running ? 1 : 0,
    open: running && (isExecuting(status.phase) || inError || status.phase === 'Suspended'),
    errorSince: inError ? notAfter(now, parseTime(status.lastTransitionTime)) : 0,
    targets: status.executions.map((row) => observe({ before: undefined, now: row })),
    told: allPossiblyReported(status),
  };
  const failed = inError && isDue(seen, plan.retries, now, options.failureAfterMs);
  return { ...seen, failed, marks: marksOf(status, failed) };
}

function allPossiblyReported(status: PlanStatus): readonly ReportedStates[] {
  const twins = duplicatesOf(status.executions);
  let earliest: string | undefined;
  return status.executions.map((row, index) =>
    twins.has(index)
      ? NEVER_UNREPORTED
      : possiblyReported(row, status, () => (earliest ??= earliestStart(status))),
  );
}

/** Whether the plan has ever run: before that it has no cycle and no operation. */
export const hasRun = (status: PlanStatus): boolean =>
  status.cycleId !== '' || status.operation !== '' || isExecuting(status.phase);

/** Whether the status has the cycle and operation of the last observed run. A re-run has the same ones. */
export const isSameRun = (before: Observed, status: PlanStatus): boolean =>
  before.cycle === status.cycleId && before.operation === status.operation;
