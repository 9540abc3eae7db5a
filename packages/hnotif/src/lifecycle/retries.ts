import type { PlanStatus } from '../resources/plan.ts';
import { showsSuccessOfLastRun } from './history.ts';
import { isSameRun, type Observed } from './observed.ts';
import { isExecuting, restingPhase } from './phases.ts';
import { isMoved, isReset, type TargetPair } from './targets.ts';
import { parseTime } from './time.ts';

/** `seen`: the plan tells of it. `implied`: it must have been, for the run got from Error to its end. */
export type Retry = 'none' | 'seen' | 'implied';

/**
 * Whether a retry began since the plan was last seen: `lastRetryTime` has a new value or `retryCount` grew. A plan with
 * neither field retries when it goes from Error into an executing phase.
 */
export function retryOf(before: Observed, status: PlanStatus, pairs: readonly TargetPair[]): Retry {
  const { retryCount, lastRetryTime } = status;
  if (retryCount === undefined && lastRetryTime === undefined) {
    // A plan whose retries are known by their time leaves both fields out when it forgets them.
    const leftError = before.phase === 'Error' && isExecuting(status.phase) && isSameRun(before, status);
    if (leftError && before.lastRetryTime === '' && !pairs.some(isReset)) return 'seen';
  } else if (isNewTime(before.lastRetryTime, lastRetryTime) || (retryCount ?? 0) > before.retryCount) {
    return 'seen';
  }
  return before.open && isSameRun(before, status) && isImplied(before, status, pairs) ? 'implied' : 'none';
}

const isNewTime = (before: string, now: string | undefined): boolean =>
  now !== undefined && now !== '' && now !== before;

/**
 * From Error straight to rest, which the plan reaches by a retry and has then forgotten it. It is none where nothing moved
 * and the history shows no success: then somebody put the plan to rest by suspending it.
 */
const isImplied = (before: Observed, status: PlanStatus, pairs: readonly TargetPair[]): boolean =>
  before.phase === 'Error' &&
  status.phase === restingPhase(status.operation) &&
  (pairs.some(isMoved) || showsSuccessOfLastRun(before, status));

/**
 * A retry that is found together with a new run is the new run's, unless it came before that run's Start: then it was
 * one of a run that is gone, as an implied one always is.
 */
export function isOfNewRun(status: PlanStatus, retry: Retry): boolean {
  if (retry === 'implied') return false;
  if (status.phase === 'Error') return true;
  const retried = parseTime(status.lastRetryTime ?? '');
  const began = parseTime(status.lastTransitionTime);
  return retried === undefined || began === undefined || retried >= began;
}

/** The plan's count, or our own where it keeps none: the retries seen in this run. */
export function retryCountOf(
  before: Observed,
  status: PlanStatus,
  { newRun, retry }: { readonly newRun: boolean; readonly retry: Retry },
): number {
  if (status.retryCount !== undefined) return status.retryCount;
  if (status.lastRetryTime === undefined && before.lastRetryTime !== '') return 0;
  return (newRun ? 0 : before.retryCount) + (retry === 'seen' ? 1 : 0);
}
