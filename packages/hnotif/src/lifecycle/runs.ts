import type { PlanStatus } from '../resources/plan.ts';
import { hasRun, type Observed } from './observed.ts';
import { isExecuting } from './phases.ts';
import { isSameRun, type Retry } from './retries.ts';
import { isMoved, type TargetPair } from './targets.ts';

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
  (!isSameRun(before, status) || isEntered(before.phase, status.phase) || wereReset(pairs, retry));

const isEntered = (before: string, now: string): boolean =>
  isExecuting(now) && before !== now && before !== 'Error' && before !== 'Suspended';

/**
 * Whether the targets began anew, which is all that an unseen Start of a re-run leaves behind. Within a run a Completed
 * or Aborted target stays, and a Failed one moves by a retry.
 */
const wereReset = (pairs: readonly TargetPair[], retry: Retry): boolean =>
  pairs.some((pair) => {
    if (!isMoved(pair)) return false;
    const was = pair.before?.state;
    if (was === 'Completed' || was === 'Aborted') return true;
    return was === 'Failed' && pair.now.state !== 'Completed' && retry === 'none';
  });
