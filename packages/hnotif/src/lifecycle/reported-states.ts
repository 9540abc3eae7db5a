import type { Execution, PlanStatus } from '../resources/plan.ts';
import { secondOf } from './time.ts';

/**
 * What was told of one target's states, or of the plan's phases, in one number: the newest second (since the epoch) that
 * told an event apart, times 64, and a bit for each state that was told in that second. The second only rises, so one
 * time never makes two ids of one state. A number for each target is all that a journal has to keep.
 */
export type ReportedStates = number;

const BITS: Readonly<Record<string, number>> = {
  ...{ Running: 1, Completed: 2, Failed: 4, Aborted: 8, Pending: 16 },
  ...{ Hibernating: 1, Hibernated: 2, WakingUp: 4, Active: 8, Error: 16 },
};
/** All others share one. */
const OTHER = 32;
const RADIX = 64;

/** Of a target that the plan lists twice: no time tells the two apart. */
export const NEVER_UNREPORTED: ReportedStates = Number.MAX_SAFE_INTEGER;

const bitOf = (state: string): number => BITS[state] ?? OTHER;
const newestSecond = (told: ReportedStates): number => Math.floor(told / RADIX);

/** Whether this second tells the target's state apart from all that was told of the target before; 0 never does. */
export function isUnreported(told: ReportedStates, state: string, second: number): boolean {
  const newest = newestSecond(told);
  return second > newest || (second === newest && second > 0 && ((told % RADIX) & bitOf(state)) === 0);
}

/** The memory where all may have been told that has this time, or an older one. */
export const allReported = (second: number): ReportedStates =>
  second === 0 ? 0 : second * RADIX + (RADIX - 1);

/** The memory once the state was told. `second`: of the target's time, or 0. */
export function markReported(told: ReportedStates, state: string, second: number): ReportedStates {
  const bit = bitOf(state);
  if (second > newestSecond(told)) return second * RADIX + bit;
  return ((told % RADIX) & bit) === 0 ? told + bit : told;
}

/**
 * The memory of a target of which we do not know what was told: with the times that it has, another process may have
 * told everything. `earliest`: when the run's first target started. A target that has no times has not been told of.
 */
export function possiblyReported(row: Execution, status: PlanStatus, earliest: () => string): ReportedStates {
  if (row.startedAt === '' && row.finishedAt === '' && row.state !== 'Aborted') return 0;
  const retried = row.finishedAt === '' ? 0 : secondOf(status.lastRetryTime ?? '');
  const own = Math.max(secondOf(row.startedAt), secondOf(row.finishedAt), retried);
  const second = own === 0 && row.state === 'Aborted' ? secondOf(earliest()) : own;
  return allReported(second);
}

/** Whether the target has times that are newer than all that was told of it. */
export const hasNewTimes = (told: ReportedStates, { startedAt, finishedAt }: Execution): boolean =>
  Math.max(secondOf(startedAt), secondOf(finishedAt)) > newestSecond(told);
