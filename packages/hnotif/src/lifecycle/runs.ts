import type { PlanStatus } from '../resources/plan.ts';
import { hasRun, isSameRun, type Observed } from './observed.ts';
import { isExecuting } from './phases.ts';
import type { Retry } from './retries.ts';
import { isMoved, isReset, type TargetPair } from './targets.ts';

/**
 * Whether the status tells of another run than the one last seen: its cycle or operation changed, an executing phase was
 * entered from a phase of rest, or the targets were reset. Error and Suspended lie inside a run.
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
 * Whether the targets began anew. A Failed one also moves by a retry, which shows as long as the plan is at work or
 * suspended; in Error and at rest the plan may have forgotten it.
 */
function wereReset(phase: string, pairs: readonly TargetPair[], retry: Retry): boolean {
  if (pairs.some(isReset)) return true;
  const wouldShow = isExecuting(phase) || phase === 'Suspended';
  return wouldShow && retry === 'none' && pairs.some(isFailedMoved);
}

const isFailedMoved = (pair: TargetPair): boolean =>
  pair.before?.state === 'Failed' && pair.now.state !== 'Completed' && isMoved(pair);
