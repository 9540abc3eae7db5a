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

/** A target as last seen. */
export interface ObservedTarget extends TargetState {
  readonly jobRef: string;
}

/**
 * All that is remembered of one plan (one uid): what `derive` compares the next object with. Plain JSON. A plan that
 * is deleted and created again is another plan and begins anew.
 */
export interface Observed {
  /** Random per journal; part of the ids of events that no time of the plan tells apart. */
  readonly epoch: string;
  /** `metadata.resourceVersion`; `''` before the first object. */
  readonly rv: string;
  readonly phase: string;
  readonly cycle: string;
  readonly operation: string;
  /** The plan's, or our own count where the plan keeps none. */
  readonly retryCount: number;
  /** As written, or `''`. */
  readonly lastRetryTime: string;
  /** As written, or `''`. */
  readonly lastTransitionTime: string;
  /** Kept while in Error, for the Recovery that may be seen only after it was cleared; else `''`. */
  readonly errorMessage: string;
  /** Which end of the present run the plan's history shows, or `''`: see `history.ts`. */
  readonly recorded: string;
  /** Counts the plan's executions; 0 before the first. */
  readonly run: number;
  /** When the present run began, RFC 3339 in UTC with milliseconds; `''`: that went by unseen. */
  readonly startedAt: string;
  /** Whether the run's Success is still to come. */
  readonly open: boolean;
  /** Whether Failure was announced in this visit of Error. */
  readonly failed: boolean;
  /** When this visit of Error began, in milliseconds since the epoch; 0 outside Error. */
  readonly errorSince: number;
  /** Of the last event. */
  readonly seq: number;
  /** Which of the plan's times told its events apart. */
  readonly marks: HighWaterMarks;
  /** In the plan's order. */
  readonly targets: readonly ObservedTarget[];
  /** The reported states of each target, in the order of `targets`: see `reported-states.ts`. */
  readonly told: readonly ReportedStates[];
}

/** Whether two observations, the second made of the first by `derive`, tell the same of all but the object's version. */
export function isSameButVersion(a: Observed, b: Observed): boolean {
  const { rv: _, targets: before, ...ofA } = a;
  const { rv: __, targets: after, ...ofB } = b;
  return (
    before.length === after.length &&
    before.every((target, at) => target === after[at]) &&
    (Object.keys(ofA) as (keyof typeof ofA)[]).every((field) => ofA[field] === ofB[field])
  );
}

/** For a plan that is created while we watch: whatever its first object shows, makes events. */
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
 * For a plan that was there before us: what it shows makes no event. A run in progress is open, so its end makes one;
 * a failure that would have been announced before `now` counts as announced. Another process may have told all that the
 * plan shows: no time that it has now makes an id.
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

/** Whether the status tells of an execution at all: a plan that never ran names no cycle and no operation. */
export const hasRun = (status: PlanStatus): boolean =>
  status.cycleId !== '' || status.operation !== '' || isExecuting(status.phase);

/** Whether the present status is of the run last seen, going by its name; a re-run has the same one. */
export const isSameRun = (before: Observed, status: PlanStatus): boolean =>
  before.cycle === status.cycleId && before.operation === status.operation;
