/** The checker's own parser of a plan's status, so that a fault in the service's parser is found. */
export interface Status {
  readonly phase: string;
  readonly cycle: string;
  readonly operation: string;
  readonly retryCount: number;
  readonly lastRetryTime: string;
  readonly lastTransitionTime: string;
  readonly targets: readonly Target[];
  readonly rows: readonly Row[];
}

export interface Target {
  readonly name: string;
  readonly state: string;
  readonly job: string;
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** One half of a cycle in the plan's history. */
export interface Row {
  readonly cycle: string;
  readonly operation: string;
  readonly began: string;
  readonly ended: string;
  readonly succeeded: boolean;
  readonly targets: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? (value as readonly unknown[]).map(objectOf) : [];
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function readStatus(raw: unknown): Status {
  const status = objectOf(raw);
  return {
    phase: textOf(status.phase),
    cycle: textOf(status.currentCycleID),
    operation: textOf(status.currentOperation),
    retryCount: typeof status.retryCount === 'number' ? status.retryCount : 0,
    lastRetryTime: textOf(status.lastRetryTime),
    lastTransitionTime: textOf(status.lastTransitionTime),
    targets: listOf(status.executions).map((row) => ({
      name: textOf(row.target),
      state: textOf(row.state),
      job: textOf(row.jobRef),
      startedAt: textOf(row.startedAt),
      finishedAt: textOf(row.finishedAt),
    })),
    rows: listOf(status.executionHistory).flatMap((cycle) =>
      [cycle.shutdownExecution, cycle.wakeupExecution].flatMap((half) =>
        half === undefined ? [] : [readRow(textOf(cycle.cycleId), objectOf(half))],
      ),
    ),
  };
}

function readRow(cycle: string, half: Json): Row {
  const targets = listOf(half.targetResults).map(({ state }) => textOf(state));
  return {
    cycle,
    operation: textOf(half.operation),
    began: textOf(half.startTime),
    ended: textOf(half.endTime),
    succeeded: half.success === true && targets.every(hasEnded),
    targets,
  };
}

export const hasEnded = (state: string): boolean =>
  state === 'Completed' || state === 'Failed' || state === 'Aborted';
