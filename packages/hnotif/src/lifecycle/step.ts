import type { Plan } from '../resources/plan.ts';
import type { DerivedEvent, TargetState } from './event.ts';
import type { Observed } from './observed.ts';
import { isNewRun } from './runs.ts';
import { isOfNewRun, retryCountOf, retryOf, type Retry } from './retries.ts';
import { NO_DUPLICATES, pairTargets, stateOf, duplicatesOf, type TargetPair } from './targets.ts';
import { ifNewer } from './high-water-marks.ts';
import { formatTime, parseTime } from './time.ts';

/** From what was last seen of a plan to what it shows now: the facts on which every rule decides. */
export interface Step {
  readonly before: Observed;
  readonly plan: Plan;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly pairs: readonly TargetPair[];
  /** The places of the targets that the plan lists more than once, where its list is another than before. */
  readonly duplicates: ReadonlySet<number>;
  readonly newRun: boolean;
  readonly retry: Retry;
  /** The plan's time of the retry that was seen, or `''`. */
  readonly retriedAt: string;
  /** Of the present run. */
  readonly retryCount: number;
  /** All of a step's events share one table, for a plan of thousands of targets changes them by the thousand. */
  readonly targets: readonly TargetState[];
}

export function compare(before: Observed, plan: Plan, now: number): Step {
  const { status } = plan;
  const pairs = pairTargets(before.targets, status.executions);
  const isSameList = pairs.every(({ place }, index) => place === index);
  const twins = isSameList ? NO_DUPLICATES : duplicatesOf(status.executions);
  const found = retryOf(before, status, pairs);
  const newRun = isNewRun(before, status, pairs, found);
  const retry = newRun && !isOfNewRun(status, found) ? 'none' : found;
  const retriedAt = retry === 'seen' ? ifNewer(before.marks, 'Recovery', status.lastRetryTime ?? '') : '';
  const retryCount = retryCountOf(before, status, { newRun, retry });
  const targets = status.executions.map(stateOf);
  return { before, plan, now, pairs, duplicates: twins, newRun, retry, retriedAt, retryCount, targets };
}

/** An event before it is numbered. */
export interface Draft extends DerivedEvent {
  readonly fact: string;
  seq: number;
}

/** An event of the present run: what all kinds have in common. */
export const draft = (
  { before, plan, targets }: Step,
  run: number,
  event: Pick<Draft, 'kind' | 'phase' | 'previousPhase' | 'timestamp' | 'fact'> & Partial<Draft>,
): Draft => ({
  seq: 0,
  epoch: before.epoch,
  planUid: plan.uid,
  namespace: plan.namespace,
  plan: plan.name,
  run,
  cycle: plan.status.cycleId,
  operation: plan.status.operation,
  targets,
  targetExecution: undefined,
  errorMessage: '',
  retryCount: 0,
  ...event,
});

/** The plan's `lastTransitionTime` as it is written, if it is another than before; else `''`. */
export const newTransition = ({ before, plan: { status } }: Step): string =>
  status.lastTransitionTime === before.lastTransitionTime ? '' : status.lastTransitionTime;

/** When the phase changed, as the plan has it; the time observed where it did not say, or said it before. */
export const transitionTime = (step: Step): string => formatTime(parseTime(newTransition(step)) ?? step.now);
