import { endOf, findRow, showsSuccessOfLastRun, succeeded } from './history.ts';
import { ifNewer } from './high-water-marks.ts';
import { isSameRun } from './observed.ts';
import { executingPhase, restingPhase } from './phases.ts';
import { draft, newTransition, transitionTime, type Draft, type Step } from './step.ts';
import { isTerminal } from './targets.ts';
import { formatTime, parseTime } from './time.ts';
import { latestEnd } from './times.ts';

/** The result of the present run, if it is open. */
type End = 'succeeded' | 'given up' | 'open';

/**
 * An open run has succeeded when the plan is in the operation's phase of rest and every target is terminal, also Failed and Aborted
 * (best effort: nothing else ends that night). It was given up if the plan got there without running to the end. If the plan was
 * suspended right after the end, only its history shows the success.
 */
export function endOfRun(step: Step): End {
  const { status } = step.plan;
  if (status.phase === 'Suspended') return showsNewSuccess(step) ? 'succeeded' : 'open';
  if (status.phase !== restingPhase(status.operation)) return 'open';
  if (mayBeGivenUp(step) && !showsEnd(step)) return 'given up';
  return status.executions.every(({ state }) => isTerminal(state)) ? 'succeeded' : 'open';
}

/** A suspended plan was resumed to rest, or the run has no row in a history that has others. */
function mayBeGivenUp({ before, newRun, plan, retry }: Step): boolean {
  if (newRun) return plan.status.history.length > 0;
  return before.phase === 'Suspended' || (before.phase === 'Error' && retry === 'none');
}

/** Whether the history has a new end of this run. */
function showsEnd({ before, newRun, plan: { status } }: Step): boolean {
  const row = findRow(status, status.cycleId, status.operation);
  return row !== undefined && (newRun || endOf(row) !== before.recorded);
}

/** Whether the history has a new success of this run. */
function showsNewSuccess({ before, newRun, plan: { status } }: Step): boolean {
  // A re-run shares its row with the run before it, which was still open.
  if (newRun && before.open && isSameRun(before, status)) return false;
  const row = findRow(status, status.cycleId, status.operation);
  if (row === undefined || !succeeded(row)) return false;
  // A row without a failure is not of this run if a target has failed or not ended: this run is a re-run.
  const isOfThese = status.executions.every(({ state }) => state === 'Completed' || state === 'Aborted');
  if (!isOfThese) return false;
  return !isSameRun(before, status) || endOf(row) !== before.recorded;
}

export function success(step: Step, run: number): Draft {
  const { status } = step.plan;
  const { phase, operation } = status;
  return draft(step, run, {
    kind: 'Success',
    phase: restingPhase(operation) ?? phase,
    previousPhase: executingPhase(operation) ?? '',
    timestamp: transitionTime(step),
    fact: ifNewer(step.before.marks, 'Success', latestEnd(status) || newTransition(step)),
  });
}

/**
 * Whether the last observed run succeeded before the present one began: the history says so, or the plan wakes up from the same night.
 * A plan that was suspended may wake up without having gone to sleep.
 */
export function oldRunSucceeded(step: Step): boolean {
  const { before, newRun, plan } = step;
  const { status } = plan;
  if (!newRun || !before.open) return false;
  // If a re-run has ended itself, the shared row is its own.
  if (isSameRun(before, status) && endOfRun(step) === 'succeeded') return false;
  if (showsSuccessOfLastRun(before, status)) return true;
  const wakesFromIt =
    before.operation === 'shutdown' && status.operation === 'wakeup' && before.cycle === status.cycleId;
  return wakesFromIt && before.phase !== 'Suspended';
}

export function successOfOldRun(step: Step): Draft {
  const { before, plan } = step;
  const row = findRow(plan.status, before.cycle, before.operation);
  const ended = row !== undefined && succeeded(row) ? row : undefined;
  const isNew = showsSuccessOfLastRun(before, plan.status);
  const endedAt = parseTime(ended?.endTime ?? '');
  const states = new Map(ended?.targetResults.map(({ target, state }) => [target, state]));
  return draft(step, before.run, {
    kind: 'Success',
    cycle: before.cycle,
    operation: before.operation,
    phase: restingPhase(before.operation) ?? before.phase,
    previousPhase: executingPhase(before.operation) ?? '',
    // An old row may be of an earlier run of this cycle.
    fact: ifNewer(before.marks, 'Success', isNew ? (ended?.endTime ?? '') : ''),
    timestamp: endedAt === undefined ? transitionTime(step) : formatTime(endedAt),
    targets: before.targets.map(({ name, executor, state, message }) => ({
      name,
      executor,
      state: states.get(name) ?? state,
      message,
    })),
  });
}
