import { ifNewer } from './high-water-marks.ts';
import type { Observed } from './observed.ts';
import { executingPhase } from './phases.ts';
import { draft, transitionTime, type Draft, type Step } from './step.ts';
import { parseTime } from './time.ts';

/** An Error phase: when it began (milliseconds since the epoch), and whether it has had its Failure. */
export interface ErrorVisit {
  readonly errorSince: number;
  readonly failed: boolean;
}

/**
 * The present Error phase; undefined outside Error. A new transition time or a retry begins another one: the write in between may not
 * have been observed.
 */
export function errorVisit({ before, newRun, now, plan, retry }: Step): ErrorVisit | undefined {
  if (plan.status.phase !== 'Error') return undefined;
  const { lastTransitionTime } = plan.status;
  const stamped = lastTransitionTime !== before.lastTransitionTime;
  if (before.phase === 'Error' && !stamped && !newRun && retry === 'none')
    return { errorSince: before.errorSince, failed: before.failed };
  const began = stamped ? parseTime(lastTransitionTime) : undefined;
  return { errorSince: notAfter(now, began), failed: false };
}

/** A clock that is ahead of ours must not delay the Failure. */
export const notAfter = (now: number, at: number | undefined): number => Math.min(at ?? now, now);

/**
 * Whether the plan will not be retried: its retries are used up (the count is correct on entering Error, because it rises on leaving
 * it), or the longest back-off has passed without one.
 */
export const isDue = (
  seen: Pick<Observed, 'retryCount' | 'errorSince'>,
  retries: number,
  now: number,
  failureAfterMs: number,
): boolean => seen.retryCount >= retries || now >= seen.errorSince + failureAfterMs;

export function failure(step: Step, run: number): Draft {
  const { before, plan, retryCount } = step;
  const { errorMessage, operation, phase } = plan.status;
  const cameFrom = before.phase === 'Error' || before.phase === '' ? undefined : before.phase;
  return draft(step, run, {
    kind: 'Failure',
    phase,
    previousPhase: cameFrom ?? executingPhase(operation) ?? '',
    timestamp: transitionTime(step),
    fact: ifNewer(before.marks, 'Failure', plan.status.lastTransitionTime),
    errorMessage,
    retryCount,
  });
}
