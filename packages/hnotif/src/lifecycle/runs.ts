import type { PlanStatus } from '../resources/plan.ts';
import { hasRun, type Observed } from './observed.ts';
import { isExecuting } from './phases.ts';
import { isSameRun, type Retry } from './retries.ts';
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
  (!isSameRun(before, status) || isEntered(before.phase, status.phase) || wereReset(pairs, retry));

const isEntered = (before: string, now: string): boolean =>
  isExecuting(now) && before !== now && before !== 'Error' && before !== 'Suspended';

/** Whether the targets began anew. A Failed one also moves by a retry, or comes to its end late. */
const wereReset = (pairs: readonly TargetPair[], retry: Retry): boolean =>
  pairs.some(
    (pair) =>
      isReset(pair) ||
      (retry === 'none' &&
        pair.before?.state === 'Failed' &&
        pair.now.state !== 'Completed' &&
        isMoved(pair)),
  );
