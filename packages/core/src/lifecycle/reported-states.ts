import type { Execution, PlanStatus } from '../resources/plan.ts';
import { secondOf } from './time.ts';

/**
 * The reported states of a target, or the reported phases of a plan, as one number: the newest second (since the epoch) that was part
 * of an event id, times 64, and a bit for each state that was reported in that second. The second only rises, so one time never makes
 * two ids of one state. A journal stores one number for each target.
 */
export type ReportedStates = number;

const BITS: Readonly<Record<string, number>> = {
  ...{ Running: 1, Completed: 2, Failed: 4, Aborted: 8, Pending: 16 },
  ...{ Hibernating: 1, Hibernated: 2, WakingUp: 4, Active: 8, Error: 16 },
};
/** All other states share this bit. */
const OTHER = 32;
const RADIX = 64;

/** For a target that the plan lists twice: no time distinguishes the two. */
export const NEVER_UNREPORTED: ReportedStates = Number.MAX_SAFE_INTEGER;

const bitOf = (state: string): number => BITS[state] ?? OTHER;
/** The newest second that was reported; 0: none. */
export const newestSecond = (reported: ReportedStates): number => Math.floor(reported / RADIX);

/** Whether the state was not yet reported for this second, or a later one. Second 0 means no time: false. */
export function isUnreported(reported: ReportedStates, state: string, second: number): boolean {
  const newest = newestSecond(reported);
  return second > newest || (second === newest && second > 0 && ((reported % RADIX) & bitOf(state)) === 0);
}

/** All states of this second and of older ones may have been reported. */
export const allReported = (second: number): ReportedStates =>
  second === 0 ? 0 : second * RADIX + (RADIX - 1);

/** The result after the state was reported. `second`: of the target's time, or 0. */
export function markReported(reported: ReportedStates, state: string, second: number): ReportedStates {
  const bit = bitOf(state);
  if (second > newestSecond(reported)) return second * RADIX + bit;
  return ((reported % RADIX) & bit) === 0 ? reported + bit : reported;
}

/**
 * For a target whose reports are not known: another process may have reported everything with the times that the target has. A target
 * without times was not reported. `earliest`: when the run's first target started.
 */
export function possiblyReported(row: Execution, status: PlanStatus, earliest: () => string): ReportedStates {
  if (row.startedAt === '' && row.finishedAt === '' && row.state !== 'Aborted') return 0;
  const retried = row.finishedAt === '' ? 0 : secondOf(status.lastRetryTime ?? '');
  const own = Math.max(secondOf(row.startedAt), secondOf(row.finishedAt), retried);
  const second = own === 0 && row.state === 'Aborted' ? secondOf(earliest()) : own;
  return allReported(second);
}

/** Whether the target has times that are newer than all its reports. */
export const hasNewTimes = (reported: ReportedStates, { startedAt, finishedAt }: Execution): boolean =>
  Math.max(secondOf(startedAt), secondOf(finishedAt)) > newestSecond(reported);
