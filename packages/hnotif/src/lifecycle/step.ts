import type { Plan } from '../resources/plan.ts';
import type { LifecycleEvent, TargetState } from './event.ts';
import type { Observed } from './observed.ts';
import { isNewRun } from './runs.ts';
import { isOfNewRun, retryCountOf, retryOf, type Retry } from './retries.ts';
import { pairTargets, stateOf, type TargetPair } from './targets.ts';
import { formatTime, parseTime } from './time.ts';

/** From what was last seen of a plan to what it shows now: the facts on which every rule decides. */
export interface Step {
  readonly before: Observed;
  readonly plan: Plan;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly pairs: readonly TargetPair[];
  readonly newRun: boolean;
  readonly retry: Retry;
  /** Of the present run. */
  readonly retryCount: number;
  /** All of a step's events share one table, for a plan of thousands of targets changes them by the thousand. */
  readonly targets: readonly TargetState[];
}

export function compare(before: Observed, plan: Plan, now: number): Step {
  const { status } = plan;
  const pairs = pairTargets(before.targets, status.executions);
  const found = retryOf(before, status, pairs);
  const newRun = isNewRun(before, status, pairs, found);
  const retry = newRun && !isOfNewRun(status, found) ? 'none' : found;
  const retryCount = retryCountOf(before, status, { newRun, retry });
  const targets = status.executions.map(stateOf);
  return { before, plan, now, pairs, newRun, retry, retryCount, targets };
}

/** An event before it is numbered. */
export type Draft = Omit<LifecycleEvent, 'id' | 'seq' | 'planUid' | 'namespace' | 'plan'>;

/** An event of the present run: what all kinds have in common. */
export const draft = (
  step: Step,
  run: number,
  event: Pick<Draft, 'kind' | 'phase' | 'previousPhase' | 'timestamp'> & Partial<Draft>,
): Draft => ({
  run,
  cycle: step.plan.status.cycleId,
  operation: step.plan.status.operation,
  targets: step.targets,
  targetExecution: undefined,
  errorMessage: '',
  retryCount: 0,
  ...event,
});

/** When the phase changed, as the plan has it; the time observed where it did not say, or said it before. */
export function transitionTime({ before, plan, now }: Step): string {
  const { lastTransitionTime } = plan.status;
  if (lastTransitionTime === before.lastTransitionTime) return formatTime(now);
  return formatTime(parseTime(lastTransitionTime) ?? now);
}
