import type { PlanStatus } from '../resources/plan.ts';
import type { TargetState } from './event.ts';
import type { HighWaterMarks } from './high-water-marks.ts';
import { isExecuting } from './phases.ts';
import type { ReportedStates } from './reported-states.ts';

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

/** Whether the plan has ever run: before that it has no cycle and no operation. */
export const hasRun = (status: PlanStatus): boolean =>
  status.cycleId !== '' || status.operation !== '' || isExecuting(status.phase);

/** Whether the status has the cycle and operation of the last observed run. A re-run has the same ones. */
export const isSameRun = (before: Observed, status: PlanStatus): boolean =>
  before.cycle === status.cycleId && before.operation === status.operation;
