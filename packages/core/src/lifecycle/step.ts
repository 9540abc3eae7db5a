import type { Plan } from '../resources/plan.ts';
import type { DerivedEvent, TargetState } from './event.ts';
import type { Observed } from './observed.ts';
import { isNewRun } from './runs.ts';
import { isOfNewRun, retryCountOf, retryOf, type Retry } from './retries.ts';
import { NO_DUPLICATES, pairTargets, stateOf, duplicatesOf, type TargetPair } from './targets.ts';
import { ifNewer } from './high-water-marks.ts';
import { formatTime, parseTime } from './time.ts';

/** The change from the last observation to the present object: the facts for all rules. */
export interface Step {
  readonly before: Observed;
  readonly plan: Plan;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly pairs: readonly TargetPair[];
  /** The indexes of targets that the plan lists more than once, if the list has changed. */
  readonly duplicates: ReadonlySet<number>;
  readonly newRun: boolean;
  readonly retry: Retry;
  /** The plan's time of the observed retry, or `''`. */
  readonly retriedAt: string;
  /** Of the present run. */
  readonly retryCount: number;
  /** All events of a step share this table: thousands of targets may change at once. */
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

/** An event without its number. */
export interface Draft extends DerivedEvent {
  readonly fact: string;
  seq: number;
}

/** An event of the present run, with the fields that all kinds share. */
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

/** The plan's `lastTransitionTime` if it is new, else `''`. */
export const newTransition = ({ before, plan: { status } }: Step): string =>
  status.lastTransitionTime === before.lastTransitionTime ? '' : status.lastTransitionTime;

/** When the phase changed: the plan's time if it is new, else the time of the observation. */
export const transitionTime = (step: Step): string => formatTime(parseTime(newTransition(step)) ?? step.now);
