import type { EventKind } from '../resources/kinds.ts';
import type { PlanStatus } from '../resources/plan.ts';
import { isExecuting } from './phases.ts';
import { secondOf } from './time.ts';
import { runStart, latestEnd } from './times.ts';
import { allReported, markReported, type ReportedStates } from './reported-states.ts';

/**
 * For each kind the newest second (since the epoch) that told an event of it apart; 0: none did. It only rises, so one
 * time of the plan never makes two ids of a kind, even where the operator's clock is turned back.
 */
export interface HighWaterMarks {
  readonly Start: number;
  readonly Success: number;
  readonly Failure: number;
  readonly Recovery: number;
  /** In one second a plan may go through several phases. */
  readonly PhaseChange: ReportedStates;
}

export const NO_MARKS: HighWaterMarks = { Start: 0, Success: 0, Failure: 0, Recovery: 0, PhaseChange: 0 };

/** `time` if it tells an event of this kind apart from all before it, else `''`. */
export const ifNewer = (
  marks: HighWaterMarks,
  kind: Exclude<keyof HighWaterMarks, 'PhaseChange'>,
  time: string,
): string => (secondOf(time) > marks[kind] ? time : '');

/** The marks once these events are told; the same object where none of them had a time of its own. */
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

/** The marks once a run has come to its end without a Success: no later one is told by that end. */
export function marksWithEnd(marks: HighWaterMarks, status: PlanStatus): HighWaterMarks {
  const Success = Math.max(marks.Success, secondOf(latestEnd(status)));
  return Success === marks.Success ? marks : { ...marks, Success };
}

/**
 * The marks of a plan of which we do not know what was told: its times, and all before them, may have been. `failed`: its
 * Failure counts as told. What is still to come is left open where its time is there before it: the Failure of a visit of
 * Error, the Success of a run whose targets have ended since the plan was last changed or retried.
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
    // Where the plan has forgotten its retry, that came before the last transition.
    Recovery: Math.max(retried, changed),
    PhaseChange: allReported(changed),
  };
}
