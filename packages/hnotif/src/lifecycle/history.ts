import type { HistoryOperation, PlanStatus } from '../resources/plan.ts';
import type { Observed } from './observed.ts';
import { isTerminal } from './targets.ts';

/** The row of a run in the plan's history. */
export const findRow = (status: PlanStatus, cycle: string, operation: string): HistoryOperation | undefined =>
  status.history
    .findLast((row) => row.cycleId === cycle)
    ?.operations.find((row) => row.operation === operation);

/**
 * Whether a row tells of a run that ended well. `success` alone does not: the operator also writes a row on its way
 * into Error, true when no target had failed though some had not run.
 */
export const succeeded = (row: HistoryOperation): boolean =>
  row.success === true && row.targetResults.every(({ state }) => isTerminal(state));

/** Tells two ends apart that one row has had: of a run's failures, of its success, of a re-run under the same cycle. */
export const endOf = (row: HistoryOperation): string => `${row.startTime} ${row.endTime} ${succeeded(row)}`;

/** Which end of the present run the history shows, or `''`. */
export function recordedEnd(status: PlanStatus): string {
  const row = findRow(status, status.cycleId, status.operation);
  return row === undefined ? '' : endOf(row);
}

/** Whether the history shows a success of the run last seen which it did not show then. */
export function showsSuccessOfLastRun(before: Observed, status: PlanStatus): boolean {
  const row = findRow(status, before.cycle, before.operation);
  return row !== undefined && succeeded(row) && endOf(row) !== before.recorded;
}
