import type { HistoryOperation, PlanStatus } from '../resources/plan.ts';
import type { Observed } from './observed.ts';
import { isTerminal } from './targets.ts';

export const findRow = (status: PlanStatus, cycle: string, operation: string): HistoryOperation | undefined =>
  status.history
    .findLast((row) => row.cycleId === cycle)
    ?.operations.find((row) => row.operation === operation);

/**
 * Whether the run of a row succeeded. `success` is not enough: the operator also writes a row before Error, with `true` if no target had
 * failed, although some had not run.
 */
export const succeeded = (row: HistoryOperation): boolean =>
  row.success === true && row.targetResults.every(({ state }) => isTerminal(state));

/** A row may change: a failure, a success, a re-run of the same cycle. This text distinguishes its versions. */
export const endOf = (row: HistoryOperation): string => `${row.startTime} ${row.endTime} ${succeeded(row)}`;

/** The end of the present run in the history, or `''`. */
export function recordedEnd(status: PlanStatus): string {
  const row = findRow(status, status.cycleId, status.operation);
  return row === undefined ? '' : endOf(row);
}

/** Whether the history has a new success of the last observed run. */
export function showsSuccessOfLastRun(before: Observed, status: PlanStatus): boolean {
  const row = findRow(status, before.cycle, before.operation);
  return row !== undefined && succeeded(row) && endOf(row) !== before.recorded;
}
