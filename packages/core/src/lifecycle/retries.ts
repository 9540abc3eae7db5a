import type { PlanStatus } from '../resources/plan.ts';
import { showsSuccessOfLastRun } from './history.ts';
import { isSameRun, type Observed } from './observed.ts';
import { isExecuting, restingPhase } from './phases.ts';
import { isMoved, isReset, type TargetPair } from './targets.ts';
import { parseTime } from './time.ts';

/** `seen`: the plan shows it. `implied`: the run went from Error to its end, so there must have been one. */
export type Retry = 'none' | 'seen' | 'implied';

/**
 * Whether a retry began since the last observation: `lastRetryTime` has a new value or `retryCount` grew. A plan with
 * neither field retries when it goes from Error into an executing phase.
 */
export function retryOf(before: Observed, status: PlanStatus, pairs: readonly TargetPair[]): Retry {
  const { retryCount, lastRetryTime } = status;
  if (retryCount === undefined && lastRetryTime === undefined) {
    // A plan that has had a `lastRetryTime` removes both fields later: that is not a retry.
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
 * From Error directly to the phase of rest: there was a retry, which the plan no longer shows. Without a changed target and a success in
 * the history it was none: a user suspended and resumed the plan.
 */
const isImplied = (before: Observed, status: PlanStatus, pairs: readonly TargetPair[]): boolean =>
  before.phase === 'Error' &&
  status.phase === restingPhase(status.operation) &&
  (pairs.some(isMoved) || showsSuccessOfLastRun(before, status));

/**
 * A retry that is observed together with a new run belongs to that run, unless it is older than the run's Start. An implied one always
 * belongs to the old run.
 */
export function isOfNewRun(status: PlanStatus, retry: Retry): boolean {
  if (retry === 'implied') return false;
  if (status.phase === 'Error') return true;
  const retried = parseTime(status.lastRetryTime ?? '');
  const began = parseTime(status.lastTransitionTime);
  return retried === undefined || began === undefined || retried >= began;
}

/** The plan's count, or our own: the observed retries of this run. */
export function retryCountOf(
  before: Observed,
  status: PlanStatus,
  { newRun, retry }: { readonly newRun: boolean; readonly retry: Retry },
): number {
  if (status.retryCount !== undefined) return status.retryCount;
  if (status.lastRetryTime === undefined && before.lastRetryTime !== '') return 0;
  return (newRun ? 0 : before.retryCount) + (retry === 'seen' ? 1 : 0);
}
