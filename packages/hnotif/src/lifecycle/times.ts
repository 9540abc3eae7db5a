import type { PlanStatus } from '../resources/plan.ts';
import { secondOf } from './time.ts';

/** When the first of the run's targets started, as the plan has it, or `''`. It stays as it is for the whole run. */
export function earliestStart({ executions }: PlanStatus): string {
  let [earliest, second] = ['', Infinity];
  for (const { startedAt } of executions) {
    if (startedAt === earliest) continue;
    const at = secondOf(startedAt);
    if (at > 0 && at < second) [earliest, second] = [startedAt, at];
  }
  return earliest;
}

/** When the last of the run's targets ended, as the plan has it, or `''`. */
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
 * When the run began, as the plan has it, or `''`: its `lastTransitionTime`, but once that is the time of something later
 * (an Error, a resume, its end) the start of its first target, as the plan's history has it, too.
 */
export function runStart(status: PlanStatus): string {
  const started = earliestStart(status);
  const changed = status.lastTransitionTime;
  if (started === '') return changed;
  return changed === '' || secondOf(started) < secondOf(changed) ? started : changed;
}
