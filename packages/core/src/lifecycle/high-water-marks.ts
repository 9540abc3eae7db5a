import type { EventKind } from '../resources/kinds.ts';
import type { PlanStatus } from '../resources/plan.ts';
import { isExecuting } from './phases.ts';
import { secondOf } from './time.ts';
import { runStart, latestEnd } from './times.ts';
import { allReported, markReported, type ReportedStates } from './reported-states.ts';

/**
 * For each kind the newest second (since the epoch) that was part of an event id; 0: none. It only rises, so one time of the plan never
 * makes two ids of a kind, even if the operator's clock is set back.
 */
export interface HighWaterMarks {
  readonly Start: number;
  readonly Success: number;
  readonly Failure: number;
  readonly Recovery: number;
  /** A plan may go through several phases in one second. */
  readonly PhaseChange: ReportedStates;
}

export const NO_MARKS: HighWaterMarks = { Start: 0, Success: 0, Failure: 0, Recovery: 0, PhaseChange: 0 };

/** `time` if it is newer than all events of this kind, else `''`. */
export const ifNewer = (
  marks: HighWaterMarks,
  kind: Exclude<keyof HighWaterMarks, 'PhaseChange'>,
  time: string,
): string => (secondOf(time) > marks[kind] ? time : '');

/** The marks after these events; the same object if none had a time of its own. */
export function marksAfter(
  marks: HighWaterMarks,
  events: readonly { readonly kind: EventKind; readonly phase: string; readonly fact: string }[],
): HighWaterMarks {
  let after = marks;
  for (const { kind, phase, fact } of events) {
    if (kind === 'ExecutionProgress') continue;
    const second = secondOf(fact);
    const mark =
      kind === 'PhaseChange' ? markReported(after[kind], phase, second) : Math.max(after[kind], second);
    if (mark !== after[kind]) after = { ...after, [kind]: mark };
  }
  return after;
}

/** The marks after a run that ended without a Success: its end must not be the time of a later one. */
export function marksWithEnd(marks: HighWaterMarks, status: PlanStatus): HighWaterMarks {
  const Success = Math.max(marks.Success, secondOf(latestEnd(status)));
  return Success === marks.Success ? marks : { ...marks, Success };
}

/**
 * The marks of a plan whose reports are not known: all its times may have been reported. `failed`: its Failure counts as reported. Two
 * events that are still to come already have their time, so it stays free: the Failure of the present Error phase, and the Success of
 * a run whose targets have ended since the last transition or retry.
 */
export function marksOf(status: PlanStatus, failed: boolean): HighWaterMarks {
  const changed = secondOf(status.lastTransitionTime);
  const retried = secondOf(status.lastRetryTime ?? '');
  const started = status.history.flatMap(({ operations }) =>
    operations.map((row) => secondOf(row.startTime)),
  );
  const ended = secondOf(latestEnd(status));
  const failureIsToCome = status.phase === 'Error' && !failed && retried < changed;
  return {
    Start: Math.max(changed, secondOf(runStart(status)), ...started),
    Success: Math.max(isExecuting(status.phase) ? retried : ended, changed),
    Failure: failureIsToCome ? 0 : changed,
    // If the plan no longer has the time of its retry, that was before the last transition.
    Recovery: Math.max(retried, changed),
    PhaseChange: allReported(changed),
  };
}
