/**
 * A model of the operator that owns the plans: how it writes `status`, one write a step. It moves no cloud; it
 * exists so that the property tests and the player of `hnotif dev` write what a real operator would. Pure.
 */
import { formatSeconds } from './time.ts';

/** `status.executions[]`, with the resource's own JSON names. */
interface OperatorExecution {
  readonly target: string;
  readonly executor: string;
  readonly state: string;
  readonly message?: string;
  readonly attempts?: number;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly jobRef?: string;
}

/** One half of a row of `status.executionHistory[]`. */
interface OperatorSummary {
  readonly operation: string;
  readonly startTime: string;
  readonly endTime?: string;
  readonly success: boolean;
  readonly errorMessage?: string;
  readonly targetResults: readonly {
    readonly target: string;
    readonly state: string;
    readonly attempts: number;
    readonly startedAt?: string;
    readonly finishedAt?: string;
  }[];
}

interface OperatorCycle {
  readonly cycleId: string;
  readonly shutdownExecution?: OperatorSummary;
  readonly wakeupExecution?: OperatorSummary;
}

/**
 * A plan's whole status. Every field is always there, so that sending it as a JSON merge patch (RFC 7386) replaces
 * the status before it: `null` takes the field away, and lists are replaced whole.
 */
export interface OperatorStatus {
  readonly phase: string;
  readonly currentCycleID: string;
  readonly currentOperation: string;
  readonly retryCount: number;
  readonly lastRetryTime: string | null;
  readonly errorMessage: string;
  readonly lastTransitionTime: string | null;
  readonly executions: readonly OperatorExecution[];
  readonly executionHistory: readonly OperatorCycle[];
}

export type Operation = 'shutdown' | 'wakeup';

/** What a poll of the jobs found about one target. */
export interface TargetChange {
  readonly target: string;
  readonly state: 'Pending' | 'Running' | 'Completed' | 'Failed' | 'Aborted';
  readonly message?: string;
  /** `namespace/name` of the runner job; kept when absent. */
  readonly jobRef?: string;
}

const EXECUTING = { shutdown: 'Hibernating', wakeup: 'WakingUp' } as const;
const RESTING = { shutdown: 'Hibernated', wakeup: 'Active' } as const;
const MAX_CYCLES = 5;

const operationOf = (status: OperatorStatus): Operation =>
  status.currentOperation === 'wakeup' ? 'wakeup' : 'shutdown';

/** What the operator writes when it meets a plan for the first time. */
export const initialStatus: OperatorStatus = {
  phase: 'Active',
  currentCycleID: '',
  currentOperation: '',
  retryCount: 0,
  lastRetryTime: null,
  errorMessage: '',
  lastTransitionTime: null,
  executions: [],
  executionHistory: [],
};

/**
 * Starts a night (`shutdown`) or a morning (`wakeup`) in one write: all targets Pending. A wake-up is given the cycle
 * of its night, and so is a re-run. Neither the count of retries nor the error is cleared.
 */
export function begin(
  status: OperatorStatus,
  operation: Operation,
  cycle: string,
  targets: readonly { readonly name: string; readonly type: string }[],
  at: number,
): OperatorStatus {
  return {
    ...status,
    phase: EXECUTING[operation],
    currentCycleID: cycle,
    currentOperation: operation,
    lastTransitionTime: formatSeconds(at),
    executions: targets.map(({ name, type }) => ({ target: name, executor: type, state: 'Pending' })),
  };
}

/** One poll of the jobs: all that changed, in one write. A target not listed stays as it is. */
export function poll(status: OperatorStatus, changes: readonly TargetChange[], at: number): OperatorStatus {
  const found = new Map(changes.map((change) => [change.target, change]));
  const executions = status.executions.map((execution) => {
    const change = found.get(execution.target);
    return change === undefined ? execution : changed(execution, change, at);
  });
  return { ...status, executions };
}

function changed(execution: OperatorExecution, change: TargetChange, at: number): OperatorExecution {
  const started = change.state !== 'Pending' && change.state !== 'Aborted';
  const ran = change.state === 'Completed' || change.state === 'Failed';
  return {
    ...execution,
    state: change.state,
    ...(change.message === undefined ? {} : { message: change.message }),
    ...(change.jobRef === undefined ? {} : { jobRef: change.jobRef }),
    // The first attempt's start is never overwritten; each attempt's end is.
    ...(started && execution.startedAt === undefined ? { startedAt: formatSeconds(at) } : {}),
    ...(ran ? { finishedAt: formatSeconds(at), attempts: (execution.attempts ?? 0) + 1 } : {}),
  };
}

/** The run has reached its end (best effort: with Failed and Aborted targets too); forgets retries and error. */
export function succeed(status: OperatorStatus, at: number): OperatorStatus {
  return {
    ...status,
    phase: RESTING[operationOf(status)],
    lastTransitionTime: formatSeconds(at),
    retryCount: 0,
    lastRetryTime: null,
    errorMessage: '',
    executionHistory: recorded(status, at),
  };
}

/** The write that comes before `fail`: the run so far, in the history. */
export const recordFailure = (status: OperatorStatus, at: number): OperatorStatus => ({
  ...status,
  executionHistory: recorded(status, at),
});

/** Into Error; whether it will be retried shows only later. The count of retries is untouched. */
export const fail = (status: OperatorStatus, message: string, at: number): OperatorStatus => ({
  ...status,
  phase: 'Error',
  lastTransitionTime: formatSeconds(at),
  errorMessage: message,
});

/** Out of Error in one write: one retry more, Failed targets Pending again. `lastTransitionTime` stays. */
export const retry = (status: OperatorStatus, at: number): OperatorStatus => ({
  ...status,
  phase: EXECUTING[operationOf(status)],
  retryCount: status.retryCount + 1,
  lastRetryTime: formatSeconds(at),
  executions: status.executions.map((execution) =>
    execution.state === 'Failed'
      ? { ...execution, state: 'Pending', message: 'Reset for another attempt after a failure' }
      : execution,
  ),
});

/** Somebody asks for a retry by hand: this write inside Error, then `retry`. */
export const manualRetry = (status: OperatorStatus): OperatorStatus => ({
  ...status,
  retryCount: 0,
  lastRetryTime: null,
});

/** Into Suspended; the targets stay as they are. */
export const suspend = (status: OperatorStatus, at: number): OperatorStatus => ({
  ...status,
  phase: 'Suspended',
  errorMessage: '',
  lastTransitionTime: formatSeconds(at),
});

/** Out of Suspended, back to `phase`, with the targets as they were. */
export const resume = (status: OperatorStatus, phase: string, at: number): OperatorStatus => ({
  ...status,
  phase,
  lastTransitionTime: formatSeconds(at),
});

/**
 * Out of Suspended where the run is given up (it had failed, or its hours have passed): back to where the run came
 * from (Active for a night, Hibernated for a morning), error and retries forgotten.
 */
export const reset = (status: OperatorStatus, at: number): OperatorStatus => ({
  ...status,
  phase: operationOf(status) === 'shutdown' ? 'Active' : 'Hibernated',
  retryCount: 0,
  lastRetryTime: null,
  errorMessage: '',
  lastTransitionTime: formatSeconds(at),
});

/** The history with the present run in it; a night's row is written once, a morning's is replaced. */
function recorded(status: OperatorStatus, at: number): readonly OperatorCycle[] {
  const cycleId = status.currentCycleID;
  const known = status.executionHistory.find((cycle) => cycle.cycleId === cycleId);
  const row = withSummary(known ?? { cycleId }, summaryOf(status, at));
  const rows =
    known === undefined
      ? [...status.executionHistory, row]
      : status.executionHistory.map((cycle) => (cycle === known ? row : cycle));
  return rows.slice(-MAX_CYCLES);
}

function withSummary(cycle: OperatorCycle, summary: OperatorSummary): OperatorCycle {
  if (summary.operation === 'wakeup') return { ...cycle, wakeupExecution: summary };
  // A row of a failed attempt gives way to the run's own end.
  const kept = cycle.shutdownExecution?.success === true ? cycle.shutdownExecution : summary;
  return { ...cycle, shutdownExecution: kept };
}

function summaryOf(status: OperatorStatus, at: number): OperatorSummary {
  const ended = status.executions.flatMap((execution) => execution.finishedAt ?? []);
  const startTime = status.executions.reduce(
    (earliest, { startedAt }) => (startedAt !== undefined && startedAt < earliest ? startedAt : earliest),
    formatSeconds(at),
  );
  return {
    operation: operationOf(status),
    startTime,
    ...(ended.length === 0 ? {} : { endTime: ended.reduce((last, end) => (end > last ? end : last)) }),
    // A best effort that left a target Failed stands here as no success, though the phase says it is done.
    success: status.executions.every(({ state }) => state !== 'Failed'),
    ...(status.errorMessage === '' ? {} : { errorMessage: status.errorMessage }),
    targetResults: status.executions.map(({ target, state, attempts, startedAt, finishedAt }) => ({
      target,
      state,
      attempts: attempts ?? 0,
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(finishedAt === undefined ? {} : { finishedAt }),
    })),
  };
}
