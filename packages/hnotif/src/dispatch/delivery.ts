import type { LifecycleEvent } from '../lifecycle/event.ts';
import type { SinkType } from '../resources/kinds.ts';
import type { Plan } from '../resources/plan.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { Progress } from '../sinks/sink.ts';
import type { BreakerKind } from './circuit-breaker.ts';
import type { LogEntry } from './log-entry.ts';

/** A plan as it is when one looks; as it last was, once it is deleted. */
export interface LivePlan {
  readonly current: Plan;
}

/** An event as the log of its plan holds it: the target table is made when it is wanted. */
export type LoggedEvent = Omit<LifecycleEvent, 'targets'>;

/** For which sink and plan something is to be sent. */
export interface Destination {
  readonly to: SinkAddress;
  /** The type when the event was accepted: for metrics; the sending reads the present one. */
  readonly sinkType: SinkType;
  /** Labels, annotations and connectors are read from it at sending. */
  readonly plan: LivePlan;
}

/** What something is told about. */
export interface About extends Destination {
  readonly event: LoggedEvent;
}

/** The head of a stream once its first attempt has begun: what is remembered of it from one attempt to the next. */
export interface Delivery extends Destination {
  readonly event: LifecycleEvent;
  readonly entry: LogEntry;
  /** Attempts of the present send: pauses do not count, a secret that could not be read does. */
  attempts: number;
  /** How many deliveries of its sink had arrived when the present send began. */
  arrivedBefore: number;
  /** …and when its configuration was last refused; undefined: it never was. */
  refusedAfter: number | undefined;
  /** How often its sink's circuit had opened when the present send began. */
  breaks: number;
  /** Sends that failed while others of its sink arrived. */
  failedSends: number;
  /** Requests made. */
  requests: number;
  /** What the sink remembers of it from one request to the next. */
  readonly progress: Progress;
  /** Whether a notice was told of it. */
  noticed: boolean;
}

/** How deliveries of one stream ended: one, or several that were dropped together. Each accepted one ends exactly once. */
export interface Settlement extends Destination {
  readonly result: 'delivered' | 'failed' | 'dropped' | 'suppressed';
  /** CamelCase reason of the receiver's table for `failed`, a word of `DROP_REASONS` for `dropped`, else `''`. */
  readonly reason: string;
  /** For a human, never with a credential; `''` when delivered or suppressed. */
  readonly message: string;
  /** In order; one, but for drops. */
  readonly events: readonly LoggedEvent[];
  /** The last of them. */
  readonly event: LoggedEvent;
  /** Whether the message arrived otherwise than the user wished for. */
  readonly noticed: boolean;
  /** Requests made. */
  readonly requests: number;
  /** From acceptance of the first of them to the end, in milliseconds. */
  readonly latencyMs: number;
}

/**
 * Why something of a sink waits. `held`: one stream waits while others arrive; `paused`: the receiver named a time; `behind`: the
 * sink's own rate limit; `blocked`: something that is not the receiver's fault, such as the namespace's share of requests in flight;
 * `late`: attempts fail, or the receiver answers slowly; else the circuit is open.
 */
export const STALL_KINDS = ['late', 'behind', 'blocked', 'paused', 'held', 'parked', 'quarantined'] as const;

export type StallKind = (typeof STALL_KINDS)[number];

/** Why something of a sink waits, and until when. */
export interface Stall<Kind extends StallKind = StallKind> {
  readonly kind: Kind;
  /** CamelCase reason of the receiver's table. */
  readonly reason: string;
  /** For a human, never with a credential. */
  readonly message: string;
  /** When the oldest delivery that waits was accepted: milliseconds since the epoch. */
  readonly since: number;
  /**
   * When the next try is due, or the pause over, or, of a sink that is `behind`, when about all of it will be sent: milliseconds since
   * the epoch; 0: that is not known.
   */
  readonly nextAt: number;
  /** Deliveries that wait to be sent… */
  readonly waiting: number;
  /** …or fewer: some of them may be left out for newer progress. */
  readonly atMost?: true;
  /** Whether it is not expected to pass without a correction: a refusal, or a fault that lasts for a minute or has outlived a probe. */
  readonly lasting: boolean;
}

/** A send that failed: its delivery stays, and comes again. */
export interface Setback extends Stall<'held' | BreakerKind> {
  /** Whether the circuit opens by it, or stays open for another cause than before. */
  readonly begun: boolean;
}
