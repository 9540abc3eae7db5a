import type { EventKind } from '../resources/kinds.ts';

/** A target's state as of the write that an event was seen in (Start: before the run touched it), in the plan's order. */
export interface TargetState {
  readonly name: string;
  readonly executor: string;
  /** Pending, Running, Completed, Failed or Aborted; other texts pass through. */
  readonly state: string;
  readonly message: string;
}

/**
 * Something that happened to a plan. Complete in itself but for what is read at sending (the plan's labels and
 * annotations, the targets' connectors).
 */
export interface LifecycleEvent {
  /** Stable across attempts, restarts and owners: see `ids.ts`. */
  readonly id: string;
  /** The plan's time, as it is written, that tells the event apart; `''`: none does. Undefined: the id was read back. */
  readonly fact?: string | undefined;
  /** Tells the event apart with `seq` where no time does; undefined: the id was read back. */
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
  /** Success and Failure only: when the run began, RFC 3339 in UTC with milliseconds. Undefined: it is not known. */
  readonly startedAt?: string | undefined;
}

/** As `derive` tells it. Its id is made when it is first asked for (`idOf`): a change may make thousands of events of which most are never sent. */
export type DerivedEvent = Omit<LifecycleEvent, 'id'>;
