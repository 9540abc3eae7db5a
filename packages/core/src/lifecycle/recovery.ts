import { executingPhase } from './phases.ts';
import { draft, type Draft, type Step } from './step.ts';
import { formatTime, parseTime } from './time.ts';

/** A retry began: one Recovery with the newest count, even if others were not observed. */
export function recovery(step: Step, run: number): Draft {
  const { before, now, plan, retry, retryCount } = step;
  const { status } = plan;
  const retried = status.lastRetryTime === before.lastRetryTime ? undefined : status.lastRetryTime;
  return draft(step, run, {
    kind: 'Recovery',
    phase: executingPhase(status.operation) ?? status.phase,
    // Always, even if the Error phase was not observed.
    previousPhase: 'Error',
    fact: step.retriedAt,
    timestamp: formatTime(parseTime(retried ?? '') ?? now),
    // The write that ended the run may have cleared it.
    errorMessage: status.errorMessage === '' ? before.errorMessage : status.errorMessage,
    retryCount: retry === 'implied' ? before.retryCount + 1 : retryCount,
  });
}
