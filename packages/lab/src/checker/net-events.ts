/**
 * The events between two states of a plan: a second implementation of docs/events.md. So the service is compared with its published
 * rules, not with its own code.
 */
import { hasEnded, type Status, type Target } from './status.ts';
import {
  compare,
  endOfRun,
  EXECUTING,
  oldRunSucceeded,
  RESTING,
  rowOf,
  type Memory,
  type Step,
} from './step.ts';

export type Kind = 'Start' | 'Success' | 'Failure' | 'Recovery' | 'PhaseChange' | 'ExecutionProgress';

/** The fields of an event that messages show. */
export interface Expected {
  readonly kind: Kind;
  readonly cycle: string;
  readonly operation: string;
  readonly phase: string;
  /** undefined: messages of this kind do not show it. */
  readonly previousPhase: string | undefined;
  readonly target: string;
  readonly state: string;
  /** Only of Recovery and Failure. */
  readonly retryCount: number | undefined;
  /** Seconds since the epoch; undefined: the time when hnotif saw it, which only hnotif knows. */
  readonly time: number | undefined;
}

export interface Net {
  readonly events: readonly Expected[];
  readonly after: Memory;
}

/** The events between the last seen state and `is`, and the memory after it. */
export function netEvents(before: Memory, is: Status, retries: number): Net {
  const step = compare(before, is);
  const { was, newRun, retried } = step;
  const open = newRun || before.open || retried !== 'no';
  const end = open ? endOfRun(step) : 'open';
  const sameVisit =
    was.phase === 'Error' && was.lastTransitionTime === is.lastTransitionTime && !newRun && retried === 'no';
  const told = is.phase === 'Error' && sameVisit && before.failed;
  const fails = is.phase === 'Error' && !told && is.retryCount >= retries;

  const events: Expected[] = [];
  if (oldRunSucceeded(step, end)) events.push(successOfOldRun(step));
  if (newRun) events.push(...runsInGap(step), start(step));
  if (retried !== 'no') events.push(recovery(step));
  events.push(...progress(step));
  if (end === 'succeeded') events.push(success(step));
  if (fails) events.push(failure(step));
  if (is.phase !== was.phase && is.phase !== '') events.push(phaseChange(step));
  return {
    events,
    after: { status: is, open: open && end === 'open', failed: told || fails },
  };
}

const secondsOf = (time: string): number | undefined =>
  time === '' ? undefined : Math.floor(Date.parse(time) / 1000);

const NO_TARGET = { target: '', state: '', retryCount: undefined };

const ofRun = ({ cycle, operation }: { readonly cycle: string; readonly operation: string }) => ({
  ...NO_TARGET,
  cycle,
  operation,
});

const transitionTime = ({ was, is }: Step): number | undefined =>
  is.lastTransitionTime === was.lastTransitionTime ? undefined : secondsOf(is.lastTransitionTime);

const started = (run: { readonly cycle: string; readonly operation: string }, time?: number): Expected => ({
  ...ofRun(run),
  ...{ kind: 'Start', phase: EXECUTING[run.operation] ?? '', previousPhase: '', time },
});

const ended = (run: { readonly cycle: string; readonly operation: string }, time?: number): Expected => ({
  ...ofRun(run),
  ...{ kind: 'Success', phase: RESTING[run.operation] ?? '', previousPhase: EXECUTING[run.operation], time },
});

const start = (step: Step): Expected => started(step.is, transitionTime(step));
const success = (step: Step): Expected => ended(step.is, transitionTime(step));

function successOfOldRun(step: Step): Expected {
  const row = rowOf(step.is, step.was.cycle, step.was.operation);
  const time = row?.succeeded === true ? secondsOf(row.ended) : undefined;
  return ended(step.was, time ?? transitionTime(step));
}

/** Runs that began and ended unseen. Only those whose success the history shows. */
const runsInGap = ({ was, is }: Step): Expected[] =>
  is.rows
    .filter((row) => row.succeeded)
    .filter(({ cycle, operation }) => cycle !== was.cycle || operation !== was.operation)
    .filter(({ cycle, operation }) => cycle !== is.cycle || operation !== is.operation)
    .filter(
      ({ began }) => was.lastTransitionTime === '' || Date.parse(began) > Date.parse(was.lastTransitionTime),
    )
    .flatMap((row) => [started(row, secondsOf(row.began)), ended(row, secondsOf(row.ended))]);

const recovery = ({ was, is, retried }: Step): Expected => ({
  ...ofRun(is),
  kind: 'Recovery',
  phase: EXECUTING[is.operation] ?? is.phase,
  previousPhase: 'Error',
  retryCount: retried === 'inferred' ? was.retryCount + 1 : is.retryCount,
  time: is.lastRetryTime === was.lastRetryTime ? undefined : secondsOf(is.lastRetryTime),
});

const progress = ({ was, is, pairs, newRun }: Step): Expected[] =>
  pairs
    .filter((pair) => pair.is.state !== '')
    .filter((pair) => pair.is.state !== (newRun ? 'Pending' : (pair.was?.state ?? 'Pending')))
    .map((pair) => ({
      ...ofRun(is),
      ...{ kind: 'ExecutionProgress', phase: is.phase, previousPhase: undefined },
      ...{ target: pair.is.name, state: pair.is.state },
      time: progressTime(pair.is, is.lastRetryTime === '' ? was.lastRetryTime : is.lastRetryTime),
    }));

/** The operator keeps a target's first start. So a time before the last retry is not the time of this change. */
function progressTime({ state, startedAt, finishedAt }: Target, lastRetry: string): number | undefined {
  const time = hasEnded(state) ? finishedAt : state === 'Running' ? startedAt : '';
  return time !== '' && lastRetry !== '' && Date.parse(time) < Date.parse(lastRetry)
    ? undefined
    : secondsOf(time);
}

const failure = (step: Step): Expected => ({
  ...ofRun(step.is),
  kind: 'Failure',
  phase: step.is.phase,
  previousPhase:
    step.was.phase === 'Error' || step.was.phase === '' ? EXECUTING[step.is.operation] : step.was.phase,
  retryCount: step.is.retryCount,
  time: transitionTime(step),
});

const phaseChange = (step: Step): Expected => ({
  ...ofRun(step.is),
  kind: 'PhaseChange',
  phase: step.is.phase,
  previousPhase: step.was.phase,
  time: transitionTime(step),
});
