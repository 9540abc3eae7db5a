import type { PlanStatus } from '../resources/plan.ts';
import { hasRun, isSameRun, type Observed } from './observed.ts';
import { isExecuting } from './phases.ts';
import type { Retry } from './retries.ts';
import { isMoved, isReset, type TargetPair } from './targets.ts';

/**
 * Whether the status shows a new run: another cycle or operation, an executing phase after a phase of rest, or targets that were
 * reset. Error and Suspended are part of a run.
 */
export const isNewRun = (
  before: Observed,
  status: PlanStatus,
  pairs: readonly TargetPair[],
  retry: Retry,
): boolean =>
  hasRun(status) &&
  (!isSameRun(before, status) ||
    isEntered(before.phase, status.phase) ||
    wereReset(status.phase, pairs, retry));

const isEntered = (before: string, now: string): boolean =>
  isExecuting(now) && before !== now && before !== 'Error' && before !== 'Suspended';

/**
 * Whether the targets were reset. A Failed target may also change by a retry. The plan shows retries while it executes or is suspended;
 * in Error and at rest it may not.
 */
function wereReset(phase: string, pairs: readonly TargetPair[], retry: Retry): boolean {
  if (pairs.some(isReset)) return true;
  const wouldShow = isExecuting(phase) || phase === 'Suspended';
  return wouldShow && retry === 'none' && pairs.some(isFailedMoved);
}

const isFailedMoved = (pair: TargetPair): boolean =>
  pair.before?.state === 'Failed' && pair.now.state !== 'Completed' && isMoved(pair);
