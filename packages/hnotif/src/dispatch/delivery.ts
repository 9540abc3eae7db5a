import type { LifecycleEvent } from '../lifecycle/event.ts';
import type { SinkType } from '../resources/kinds.ts';
import type { Plan } from '../resources/plan.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { Progress } from '../sinks/sink.ts';

/** A plan as it is when one looks; as it last was, once it is deleted. */
export interface LivePlan {
  readonly current: Plan;
}

/** One event for one sink, as `submit` takes it. */
export interface Submission {
  readonly to: SinkAddress;
  /** The type when it was submitted: for metrics; the sending reads the present one. */
  readonly sinkType: SinkType;
  readonly event: LifecycleEvent;
  /** Labels, annotations and connectors are read from it at sending. */
  readonly plan: LivePlan;
}

/** A submission that was accepted and waits for its turn or its answer. */
export interface Pending extends Submission {
  /** Monotonic milliseconds. */
  readonly acceptedAt: number;
  /** Bytes of the event itself, its target table not counted. */
  readonly bytes: number;
  /** Attempts that count toward the retries: pauses do not, a secret that could not be read does. */
  attempts: number;
  /** Requests made. */
  requests: number;
  /** What the sink remembers of it from one request to the next. */
  readonly progress: Progress;
  /** Whether a notice was told of it. */
  noticed: boolean;
}

/** How a delivery ended. Each accepted submission settles exactly once. */
export interface Settlement extends Submission {
  readonly result: 'delivered' | 'failed' | 'dropped' | 'suppressed';
  /** CamelCase reason of the receiver's table for `failed`, a word of `DROP_REASONS` for `dropped`, else `''`. */
  readonly reason: string;
  /** For a human, never with a credential; `''` when delivered or suppressed. */
  readonly message: string;
  /** Whether the message arrived otherwise than the user wished for. */
  readonly noticed: boolean;
  /** It failed, and so will all others until somebody mends the configuration. */
  readonly lasting: boolean;
  /** Requests made. */
  readonly requests: number;
  /** From acceptance to the end, in milliseconds. */
  readonly latencyMs: number;
}
