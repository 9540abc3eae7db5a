/** A step from one state of a plan to another: the facts for the rules of docs/events.md. A second implementation, for the checker. */
import { hasEnded, type Row, type Status, type Target } from './status.ts';

/** The state of a plan that the next step needs. */
export interface Memory {
  readonly status: Status;
  /** The run has not ended yet. */
  readonly open: boolean;
  /** Failure was already sent in this visit of Error. */
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

export const EXECUTING: Readonly<Record<string, string>> = { shutdown: 'Hibernating', wakeup: 'WakingUp' };
export const RESTING: Readonly<Record<string, string>> = { shutdown: 'Hibernated', wakeup: 'Active' };

const isExecuting = (phase: string): boolean => phase === 'Hibernating' || phase === 'WakingUp';
export const rowOf = (status: Status, cycle: string, operation: string): Row | undefined =>
  status.rows.find((row) => row.cycle === cycle && row.operation === operation);
/** Identifies the end that a row shows: one row can show several ends. */
const endOf = (row: Row | undefined): string =>
  row === undefined ? '' : `${row.began} ${row.ended} ${row.succeeded}`;

export interface Pair {
  readonly was: Target | undefined;
  readonly is: Target;
}

/** The comparison of two states. Every rule uses it. */
export interface Step {
  readonly before: Memory;
  readonly was: Status;
  readonly is: Status;
  readonly pairs: readonly Pair[];
  readonly sameRun: boolean;
  readonly newRun: boolean;
  /** A retry of the present run. */
  readonly retried: 'no' | 'told' | 'inferred';
}

export function compare(before: Memory, is: Status): Step {
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

/** Targets begin again: a finished one changed, a job disappeared, or a Failed one changed without a retry. */
const wereReset = (is: Status, pairs: readonly Pair[], retried: boolean): boolean =>
  pairs.some((pair) => {
    if (pair.was === undefined) return false;
    const { state, job } = pair.was;
    if (state === 'Completed' || state === 'Aborted') return hasMoved(pair);
    if (job !== '' && pair.is.job === '' && pair.is.state === 'Pending') return true;
    const atWork = isExecuting(is.phase) || is.phase === 'Suspended';
    return state === 'Failed' && atWork && !retried && pair.is.state !== 'Completed' && hasMoved(pair);
  });

/** A retry that is found together with a new run belongs to the new run, unless it is older. */
function isOfNewRun(is: Status, found: 'no' | 'told' | 'inferred'): boolean {
  if (found === 'inferred') return false;
  if (is.phase === 'Error' || is.lastRetryTime === '' || is.lastTransitionTime === '') return true;
  return Date.parse(is.lastRetryTime) >= Date.parse(is.lastTransitionTime);
}

/** Whether the history shows a new success of the run that was seen last. */
function showsNewSuccess(was: Status, is: Status): boolean {
  const row = rowOf(is, was.cycle, was.operation);
  return row?.succeeded === true && endOf(row) !== endOf(rowOf(was, was.cycle, was.operation));
}

export function endOfRun({ was, is, newRun, retried }: Step): 'succeeded' | 'given up' | 'open' {
  if (is.phase !== RESTING[is.operation]) return 'open';
  const row = rowOf(is, is.cycle, is.operation);
  const showsEnd = row !== undefined && (newRun || endOf(row) !== endOf(rowOf(was, is.cycle, is.operation)));
  const byAnotherWay = newRun
    ? is.rows.length > 0
    : was.phase === 'Suspended' || (was.phase === 'Error' && retried === 'no');
  if (byAnotherWay && !showsEnd) return 'given up';
  return is.targets.every(({ state }) => hasEnded(state)) ? 'succeeded' : 'open';
}

export function oldRunSucceeded({ before, was, is, newRun, sameRun }: Step, end: string): boolean {
  if (!newRun || !before.open || (sameRun && end === 'succeeded')) return false;
  if (showsNewSuccess(was, is)) return true;
  const wakes = was.operation === 'shutdown' && is.operation === 'wakeup' && was.cycle === is.cycle;
  return wakes && was.phase !== 'Suspended';
}
