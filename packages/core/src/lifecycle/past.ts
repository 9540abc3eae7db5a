import type { Plan, PlanStatus } from '../resources/plan.ts';
import { silentBaseline } from './baseline.ts';
import { isSameRun, type Observed, type Peak } from './observed.ts';
import { newestSecond, NEVER_UNREPORTED } from './reported-states.ts';
import { secondOf } from './time.ts';
import { isNewer } from './version.ts';

/**
 * A plan's version is lower than the one before: the cluster was restored from a backup, or a list came from a stale cache. States up to the
 * newest one that was observed are the past from now on: see `isPast`.
 */
export const rolledBack = (observed: Observed): Observed => ({
  ...observed,
  rv: '0',
  peak: observed.peak ?? { rv: observed.rv, second: newestOf(observed) },
});

/**
 * Whether this state of a plan was reported before it was rolled back: none of its times is newer than all observed ones, and neither is its
 * version. A restored cluster gives versions again, but not times. If no time was ever observed, it is not known: then nothing is past.
 */
export function isPast({ rv, second }: Peak, { resourceVersion, status }: Plan): boolean {
  return second > 0 && newestIn(status) <= second && !isNewer(resourceVersion, rv);
}

/** The observation of a state from the past. It makes no event. The next ones continue from it, under the ids that they had. */
export function observePast(
  before: Observed,
  plan: Plan,
  now: number,
  options: { readonly failureAfterMs: number },
): Observed {
  const { epoch, peak, run, seq, startedAt } = before;
  const isSame = isSameRun(before, plan.status);
  return {
    ...silentBaseline(plan, epoch, now, options),
    ...{ seq, run: isSame ? run : run + 1, startedAt: isSame ? startedAt : '' },
    ...(peak && { peak }),
  };
}

/** The newest time of what was observed (seconds since the epoch). */
function newestOf({ lastRetryTime, lastTransitionTime, marks, told }: Observed): number {
  const { PhaseChange, ...others } = marks;
  let newest = Math.max(secondOf(lastTransitionTime), secondOf(lastRetryTime), newestSecond(PhaseChange));
  for (const second of Object.values(others)) newest = Math.max(newest, second);
  for (const states of told) if (states !== NEVER_UNREPORTED) newest = Math.max(newest, newestSecond(states));
  return newest;
}

/** The newest time in a status (seconds since the epoch). */
function newestIn({ executions, history, lastRetryTime = '', lastTransitionTime }: PlanStatus): number {
  let newest = Math.max(secondOf(lastTransitionTime), secondOf(lastRetryTime));
  for (const { startedAt, finishedAt } of executions)
    newest = Math.max(newest, secondOf(startedAt), secondOf(finishedAt));
  for (const { operations } of history)
    for (const { startTime, endTime } of operations)
      newest = Math.max(newest, secondOf(startTime), secondOf(endTime));
  return newest;
}
