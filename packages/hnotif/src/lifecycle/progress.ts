import type { Execution } from '../resources/plan.ts';
import { draft, type Draft, type Step } from './step.ts';
import { isTerminal, PENDING } from './targets.ts';
import { formatTime, parseTime } from './time.ts';

/** Each target whose state changed, in the plan's order, however many states went by unseen. */
export function progress(step: Step, run: number): Draft[] {
  const { pairs, plan, targets } = step;
  return pairs.flatMap(({ before, now }, index) => {
    const was = step.newRun ? PENDING : (before?.state ?? PENDING);
    if (now.state === was || now.state === '') return [];
    return draft(step, run, {
      kind: 'ExecutionProgress',
      phase: plan.status.phase,
      previousPhase: '',
      timestamp: progressTime(step, now),
      targetExecution: targets[index],
    });
  });
}

function progressTime({ before, plan, now }: Step, row: Execution): string {
  const at = parseTime(isTerminal(row.state) ? row.finishedAt : row.state === 'Running' ? row.startedAt : '');
  // The operator keeps the start of the first attempt: a time before the retry is not this change's.
  const retried = parseTime(plan.status.lastRetryTime ?? before.lastRetryTime);
  const stale = at !== undefined && retried !== undefined && at < retried;
  return formatTime(at === undefined || stale ? now : at);
}
