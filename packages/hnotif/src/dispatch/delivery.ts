import type { LifecycleEvent } from '@hnotif/core/lifecycle';
import {
  type SinkType,
  type Plan,
  type SinkAddress,
  SINK_STATES,
  type SinkState,
} from '@hnotif/core/resources';
import type { Cause, Progress } from '@hnotif/core/sinks';
import type { BreakerKind } from './states.ts';
import type { LogEntry, LoggedEvent } from './log-entry.ts';
import type { AnsweredRequest, MadeRequest } from './made-requests.ts';

/** The present state of a plan; after its deletion the last one. */
export interface LivePlan {
  readonly current: Plan;
}

/** The sink and the plan of a delivery. */
export interface Destination {
  readonly to: SinkAddress;
  /** The type when the event was accepted, for metrics. Sending reads the present one. */
  readonly sinkType: SinkType;
  /** Labels, annotations and connectors are read from it when a delivery is sent. */
  readonly plan: LivePlan;
}

/** The subject of a report. */
export interface About extends Destination {
  readonly event: LoggedEvent;
}

/** The head of a stream after its first attempt has begun. Keeps state from one attempt to the next. */
export interface Delivery extends Destination {
  readonly event: LifecycleEvent;
  readonly entry: LogEntry;
  /** Attempts of the present send. A pause does not count; a secret that could not be read counts. */
  attempts: number;
  /** How many deliveries of the sink had arrived when the present send began… */
  arrivedBefore: number;
  /** …and when the configuration was last refused; undefined: it was never refused. */
  refusedAfter: number | undefined;
  /** Sends that failed while other deliveries of the sink arrived. */
  failedSends: number;
  /** Why the last of them failed. */
  failure: Cause | undefined;
  /** Requests made. */
  requestCount: number;
  /** Those that have ended, as far as they are kept; undefined: none has. */
  requests: readonly AnsweredRequest[] | undefined;
  /** The sink's state from one request to the next. */
  readonly progress: Progress;
  /** Whether a degradation was reported. */
  isDegraded: boolean;
}

/** A request of a delivery. Times in monotonic milliseconds. */
export interface RequestTimes {
  /** The event in the log of its plan. */
  readonly entry: Pick<LogEntry, 'since'>;
  /** The sink began to make the message. */
  readonly began: number;
  /** The message was ready, and waited for a request slot. */
  readonly ready: number;
  readonly sent: number;
  readonly ended: number;
}

/** An event whose delivery has ended. */
export type SettledEvent = LoggedEvent & Pick<LogEntry, 'since' | 'open'> & Partial<Pick<LogEntry, 'failed'>>;

/** How a delivery ended, or several of one stream that were dropped together. Each accepted delivery ends exactly once. */
export interface Settlement extends Destination {
  readonly result: 'delivered' | 'failed' | 'dropped' | 'suppressed';
  /** For `failed` a CamelCase reason of the receiver's table, for `dropped` a word of `DROP_REASONS`, else `''`. */
  readonly reason: string;
  /** For a person, without credentials; `''` when delivered or suppressed. */
  readonly message: string;
  /** In order. Only drops have more than one. */
  readonly events: readonly SettledEvent[];
  /** The last of them. */
  readonly event: LoggedEvent;
  /** Whether the message arrived in another form than configured. */
  readonly isDegraded: boolean;
  /** Requests made. */
  readonly requestCount: number;
  /** Those of the first event, as far as they are kept. Default: none was made. */
  readonly requests?: readonly MadeRequest[];
  /** From the acceptance of the first event, when the watch showed it, to the end (milliseconds). */
  readonly delayMs: number;
}

/**
 * Why deliveries of a sink wait: the states of a sink in lower case, as metrics have them. `late`: attempts fail, or the receiver answers
 * slowly; `behind`: the sink's own rate limit; `blocked`: something that is not the receiver's fault, such as the namespace's share of
 * requests in flight; `paused`: the receiver named a time; `held`: one stream waits while others arrive; else the circuit is open.
 */
export type WaitKind = Lowercase<SinkState>;

export const WAIT_KINDS = SINK_STATES.map((state) => state.toLowerCase() as WaitKind);

/** Why deliveries of a sink wait, and until when. */
export interface SinkWait<Kind extends WaitKind = WaitKind> extends Cause {
  readonly kind: Kind;
  /** When the oldest delivery was accepted (milliseconds since the epoch). */
  readonly since: number;
  /**
   * When the next try is due, the pause ends or, if it is `behind`, when about everything will be sent (milliseconds since the epoch);
   * 0: not known.
   */
  readonly nextAt: number;
  /** Deliveries to send… */
  readonly waiting: number;
  /** …or fewer: some of them may be left out for newer progress. */
  readonly atMost?: true;
  /** Whether it needs a correction: a refusal, or a failure that has lasted for a minute or outlived a probe. */
  readonly lasting: boolean;
}

/** A send that failed. The delivery stays and is sent again. */
export interface FailedSend extends SinkWait<'held' | BreakerKind> {
  /** Whether the circuit opens now, or changes its cause. */
  readonly begun: boolean;
}
