/**
 * The plan as hnotif reads it. Another operator owns the resource, so every field is optional and unknown values pass through. A field of a
 * wrong type counts as absent and is named in `problems`, which the caller reports.
 */

/** The result of one target. */
export interface TargetResult {
  readonly target: string;
  readonly executor: string;
  /** Pending, Running, Completed, Failed or Aborted; other texts pass through. */
  readonly state: string;
  readonly message: string;
}

/** One row of `status.executions`. */
export interface Execution extends TargetResult {
  /** RFC 3339, or `''`. */
  readonly startedAt: string;
  /** RFC 3339, or `''`. */
  readonly finishedAt: string;
  readonly jobRef: string;
}

export interface ConnectorRef {
  readonly kind: string;
  readonly name: string;
  /** Default: the namespace of the plan. */
  readonly namespace: string;
}

export interface PlanTarget {
  readonly name: string;
  /** The executor's type: rds, eks, … */
  readonly type: string;
  readonly connectorRef: ConnectorRef | undefined;
}

/** One half (shutdown or wake-up) of a row of `status.executionHistory`. */
export interface HistoryOperation {
  readonly operation: string;
  /** RFC 3339, or `''`. */
  readonly startTime: string;
  /** RFC 3339, or `''`. */
  readonly endTime: string;
  /** Undefined while the operation runs. */
  readonly success: boolean | undefined;
  readonly errorMessage: string;
  /** Without their times: so most operations of a plan have the same rows, and share them. */
  readonly targetResults: readonly TargetResult[];
}

/** One row of `status.executionHistory`: a cycle. */
export interface HistoryCycle {
  readonly cycleId: string;
  readonly operations: readonly HistoryOperation[];
}

export interface PlanStatus {
  readonly phase: string;
  readonly cycleId: string;
  /** `shutdown` or `wakeup` today; any text passes. */
  readonly operation: string;
  /** Undefined when the plan has no such field. */
  readonly retryCount: number | undefined;
  /** RFC 3339; undefined when the plan has no such field. */
  readonly lastRetryTime: string | undefined;
  /** RFC 3339, or `''`. */
  readonly lastTransitionTime: string;
  readonly errorMessage: string;
  readonly executions: readonly Execution[];
  readonly history: readonly HistoryCycle[];
}

export interface Plan {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** RFC 3339, or `''`. */
  readonly creationTimestamp: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly targets: readonly PlanTarget[];
  /** `spec.behavior.retries`. Default: 3. */
  readonly retries: number;
  readonly status: PlanStatus;
  /** Fields with problems, each as `path: what was expected, what was found`. With more than 20, the last one is `and N more`. */
  readonly problems: readonly string[];
}

export const DEFAULT_RETRIES = 3;
