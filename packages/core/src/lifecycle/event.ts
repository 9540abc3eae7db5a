import type { EventKind } from '../resources/kinds.ts';

/** A target's state in the write that made the event (Start: before the run touched it). */
export interface TargetState {
  readonly name: string;
  readonly executor: string;
  /** Pending, Running, Completed, Failed or Aborted; other texts pass through. */
  readonly state: string;
  readonly message: string;
}

/**
 * A change of a plan. The plan's labels and annotations and the targets' connectors are read when it is sent; everything else is
 * here.
 */
export interface LifecycleEvent {
  /** Stable across attempts, restarts and owners: see `ids.ts`. */
  readonly id: string;
  /** The plan's time in the id, as written; `''`: none. Undefined: the event was read from a journal. */
  readonly fact?: string | undefined;
  /** With `seq` it replaces a missing time in the id. Undefined: the event was read from a journal. */
  readonly epoch?: string | undefined;
  /** Rises by one with every event of a plan. */
  readonly seq: number;
  readonly kind: EventKind;
  readonly planUid: string;
  readonly namespace: string;
  readonly plan: string;
  /** Counts the plan's executions (a night and a morning are two); 0 before the first. */
  readonly run: number;
  readonly cycle: string;
  /** The plan's own value: `shutdown`, `wakeup`, or any other text. */
  readonly operation: string;
  readonly phase: string;
  /** `''` on Start and where there was none; meaningless (`''`) on ExecutionProgress. */
  readonly previousPhase: string;
  /** RFC 3339 in UTC with milliseconds. */
  readonly timestamp: string;
  /** The targets of the event's own run. */
  readonly targets: readonly TargetState[];
  /** ExecutionProgress only: the target that changed. */
  readonly targetExecution: TargetState | undefined;
  /** Failure and Recovery only, else `''`. */
  readonly errorMessage: string;
  /** Recovery and Failure only, else 0. */
  readonly retryCount: number;
  /** Success and Failure only: when the run began, RFC 3339 in UTC with milliseconds. Undefined: not known. */
  readonly startedAt?: string | undefined;
  /** A replay sends it again, with a new `seq`: it may be older than events with a lower one. */
  readonly replayed?: true | undefined;
}

/** The result of `derive`. Its id is computed later (`idOf`): a change may make thousands of events, and most are never sent. */
export type DerivedEvent = Omit<LifecycleEvent, 'id'>;
