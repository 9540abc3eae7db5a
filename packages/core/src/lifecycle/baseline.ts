import type { Plan, PlanStatus } from '../resources/plan.ts';
import { isDue, notAfter } from './failure.ts';
import { marksOf, NO_MARKS } from './high-water-marks.ts';
import { recordedEnd } from './history.ts';
import { hasRun, type Observed } from './observed.ts';
import { isExecuting } from './phases.ts';
import { NEVER_UNREPORTED, possiblyReported, type ReportedStates } from './reported-states.ts';
import { duplicatesOf, observe } from './targets.ts';
import { parseTime } from './time.ts';
import { earliestStart } from './times.ts';

/** For a plan that is created while this process watches: its first object makes events. */
export const emptyBaseline = (epoch: string): Observed => ({
  epoch,
  rv: '',
  phase: '',
  cycle: '',
  operation: '',
  retryCount: 0,
  lastRetryTime: '',
  lastTransitionTime: '',
  errorMessage: '',
  recorded: '',
  run: 0,
  startedAt: '',
  open: false,
  failed: false,
  errorSince: 0,
  seq: 0,
  marks: NO_MARKS,
  targets: [],
  told: [],
});

/**
 * For a plan that existed before this process: its present state makes no event. A run in progress is open, so its end makes one. A
 * failure that was due before `now` counts as reported. Another process may have reported the present state: its times make no ids.
 */
export function silentBaseline(
  plan: Plan,
  epoch: string,
  now: number,
  options: { readonly failureAfterMs: number },
): Observed {
  const { status } = plan;
  const inError = status.phase === 'Error';
  const running = hasRun(status);
  const seen: Observed = {
    ...emptyBaseline(epoch),
    rv: plan.resourceVersion,
    phase: status.phase,
    cycle: status.cycleId,
    operation: status.operation,
    retryCount: status.retryCount ?? 0,
    lastRetryTime: status.lastRetryTime ?? '',
    lastTransitionTime: status.lastTransitionTime,
    errorMessage: inError ? status.errorMessage : '',
    recorded: recordedEnd(status),
    run: running ? 1 : 0,
    open: running && (isExecuting(status.phase) || inError || status.phase === 'Suspended'),
    errorSince: inError ? notAfter(now, parseTime(status.lastTransitionTime)) : 0,
    targets: status.executions.map((row) => observe({ before: undefined, now: row })),
    told: allPossiblyReported(status),
  };
  const failed = inError && isDue(seen, plan.retries, now, options.failureAfterMs);
  return { ...seen, failed, marks: marksOf(status, failed) };
}

function allPossiblyReported(status: PlanStatus): readonly ReportedStates[] {
  const twins = duplicatesOf(status.executions);
  let earliest: string | undefined;
  return status.executions.map((row, index) =>
    twins.has(index)
      ? NEVER_UNREPORTED
      : possiblyReported(row, status, () => (earliest ??= earliestStart(status))),
  );
}
