import type { PlanStatus } from '../resources/plan.ts';
import { secondOf } from './time.ts';

/** When the run's first target started, or `''`. It does not change within a run. */
export function earliestStart({ executions }: PlanStatus): string {
  let [earliest, second] = ['', Infinity];
  for (const { startedAt } of executions) {
    if (startedAt === earliest) continue;
    const at = secondOf(startedAt);
    if (at > 0 && at < second) [earliest, second] = [startedAt, at];
  }
  return earliest;
}

/** When the run's last target ended, or `''`. */
export function latestEnd({ executions }: PlanStatus): string {
  let [latest, second] = ['', 0];
  for (const { finishedAt } of executions) {
    if (finishedAt === latest) continue;
    const at = secondOf(finishedAt);
    if (at > second) [latest, second] = [finishedAt, at];
  }
  return latest;
}

/**
 * When the run began, or `''`: `lastTransitionTime`; once that is later (after an Error, a resume, the end), the start of the first
 * target, which the plan's history has, too.
 */
export function runStart(status: PlanStatus): string {
  const started = earliestStart(status);
  const changed = status.lastTransitionTime;
  if (started === '') return changed;
  return changed === '' || secondOf(started) < secondOf(changed) ? started : changed;
}
