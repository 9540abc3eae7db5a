/**
 * Which events lie between two states of a plan: docs/events.md of the project, written down once more and by itself, so that
 * the service is held to what it publishes and not to its own code.
 */
import { hasEnded, type Row, type Status, type Target } from './status.ts';

export type Kind = 'Start' | 'Success' | 'Failure' | 'Recovery' | 'PhaseChange' | 'ExecutionProgress';

/** An event, as far as messages tell of it. */
export interface Expected {
  readonly kind: Kind;
  readonly cycle: string;
  readonly operation: string;
  readonly phase: string;
  /** undefined: messages of this kind do not say it. */
  readonly previousPhase: string | undefined;
  readonly target: string;
  readonly state: string;
  /** Of Recovery and Failure. */
  readonly retryCount: number | undefined;
  /** Seconds since the epoch; undefined: when it was seen, which nobody else knows. */
  readonly time: number | undefined;
}

/** What has to be remembered of a plan to tell what comes next. */
export interface Memory {
  readonly status: Status;
  /** The run's Success is still to come. */
  readonly open: boolean;
  /** Failure was told in this visit of Error. */
  readonly failed: boolean;
}

export const NOTHING_SEEN: Memory = {
  status: {
    ...{ phase: '', cycle: '', operation: '', retryCount: 0 },
    ...{ lastRetryTime: '', lastTransitionTime: '', targets: [], rows: [] },
  },
  open: false,
  failed: false,
};

const EXECUTING: Readonly<Record<string, string>> = { shutdown: 'Hibernating', wakeup: 'WakingUp' };
const RESTING: Readonly<Record<string, string>> = { shutdown: 'Hibernated', wakeup: 'Active' };

const isExecuting = (phase: string): boolean => phase === 'Hibernating' || phase === 'WakingUp';
const rowOf = (status: Status, cycle: string, operation: string): Row | undefined =>
  status.rows.find((row) => row.cycle === cycle && row.operation === operation);
/** Tells apart the ends that one row has shown. */
const endOf = (row: Row | undefined): string =>
  row === undefined ? '' : `${row.began} ${row.ended} ${row.succeeded}`;
const secondsOf = (time: string): number | undefined =>
  time === '' ? undefined : Math.floor(Date.parse(time) / 1000);

interface Pair {
  readonly was: Target | undefined;
  readonly is: Target;
}

/** The comparison of two states, from which every rule decides. */
interface Step {
  readonly before: Memory;
  readonly was: Status;
  readonly is: Status;
  readonly pairs: readonly Pair[];
  readonly sameRun: boolean;
  readonly newRun: boolean;
  /** A retry of the present run. */
  readonly retried: 'no' | 'told' | 'inferred';
}

export interface Net {
  readonly events: readonly Expected[];
  readonly after: Memory;
}

/** The events that lie between what was seen last and `is`, and what is to be remembered of it. */
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

function compare(before: Memory, is: Status): Step {
  const { status: was } = before;
  const known = new Map(was.targets.map((target) => [target.name, target]));
  const pairs = is.targets.map((target) => ({ was: known.get(target.name), is: target }));
  const sameRun = was.cycle === is.cycle && was.operation === is.operation;
  const isTold =
    (is.lastRetryTime !== '' && is.lastRetryTime !== was.lastRetryTime) || is.retryCount > was.retryCount;
  const isInferred =
    before.open &&
    sameRun &&
    was.phase === 'Error' &&
    is.phase === RESTING[is.operation] &&
    (pairs.some(hasMoved) || showsNewSuccess(was, is));
  const found = isTold ? 'told' : isInferred ? 'inferred' : 'no';
  const newRun = hasRun(is) && (!sameRun || isEntered(was, is) || wereReset(is, pairs, found !== 'no'));
  return {
    before,
    was,
    is,
    pairs,
    sameRun,
    newRun,
    retried: newRun && !isOfNewRun(is, found) ? 'no' : found,
  };
}

const hasRun = ({ cycle, operation, phase }: Status): boolean =>
  cycle !== '' || operation !== '' || isExecuting(phase);

const isEntered = (was: Status, is: Status): boolean =>
  isExecuting(is.phase) && was.phase !== is.phase && was.phase !== 'Error' && was.phase !== 'Suspended';

const hasOtherJob = (was: Target, is: Target): boolean =>
  was.job !== '' && is.job !== '' && was.job !== is.job;

const hasMoved = ({ was, is }: Pair): boolean =>
  was !== undefined && (was.state !== is.state || hasOtherJob(was, is));

/** Targets begin anew: a finished one moved, a job vanished, or a Failed one moved though nobody retried. */
const wereReset = (is: Status, pairs: readonly Pair[], retried: boolean): boolean =>
  pairs.some((pair) => {
    if (pair.was === undefined) return false;
    const { state, job } = pair.was;
    if (state === 'Completed' || state === 'Aborted') return hasMoved(pair);
    if (job !== '' && pair.is.job === '' && pair.is.state === 'Pending') return true;
    const atWork = isExecuting(is.phase) || is.phase === 'Suspended';
    return state === 'Failed' && atWork && !retried && pair.is.state !== 'Completed' && hasMoved(pair);
  });

/** A retry that is found together with a new run is that run's, unless it is older. */
function isOfNewRun(is: Status, found: 'no' | 'told' | 'inferred'): boolean {
  if (found === 'inferred') return false;
  if (is.phase === 'Error' || is.lastRetryTime === '' || is.lastTransitionTime === '') return true;
  return Date.parse(is.lastRetryTime) >= Date.parse(is.lastTransitionTime);
}

/** The history shows a success of the run seen last that it did not show then. */
function showsNewSuccess(was: Status, is: Status): boolean {
  const row = rowOf(is, was.cycle, was.operation);
  return row?.succeeded === true && endOf(row) !== endOf(rowOf(was, was.cycle, was.operation));
}

function endOfRun({ was, is, newRun, retried }: Step): 'succeeded' | 'given up' | 'open' {
  if (is.phase !== RESTING[is.operation]) return 'open';
  const row = rowOf(is, is.cycle, is.operation);
  const showsEnd = row !== undefined && (newRun || endOf(row) !== endOf(rowOf(was, is.cycle, is.operation)));
  const byAnotherWay = newRun
    ? is.rows.length > 0
    : was.phase === 'Suspended' || (was.phase === 'Error' && retried === 'no');
  if (byAnotherWay && !showsEnd) return 'given up';
  return is.targets.every(({ state }) => hasEnded(state)) ? 'succeeded' : 'open';
}

function oldRunSucceeded({ before, was, is, newRun, sameRun }: Step, end: string): boolean {
  if (!newRun || !before.open || (sameRun && end === 'succeeded')) return false;
  if (showsNewSuccess(was, is)) return true;
  const wakes = was.operation === 'shutdown' && is.operation === 'wakeup' && was.cycle === is.cycle;
  return wakes && was.phase !== 'Suspended';
}

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

/** Runs that began and ended unseen, as far as the history shows their success. */
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

/** The operator keeps a target's first start: a time before the last retry is not this change's. */
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
