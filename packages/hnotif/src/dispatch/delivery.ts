import type { LifecycleEvent } from '../lifecycle/event.ts';
import type { SinkType } from '../resources/kinds.ts';
import type { Plan } from '../resources/plan.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { Progress } from '../sinks/sink.ts';
import type { ParkKind } from './park.ts';

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
  /** When it was accepted, maybe by an earlier process (milliseconds since the epoch): its age counts from then… */
  readonly acceptedAt?: number | undefined;
  /** …and when this one accepted it, in monotonic milliseconds. Undefined, both: now. */
  readonly since?: number | undefined;
  /** Since when an earlier process may have sent it (milliseconds since the epoch); undefined: none has. */
  readonly unclearSince?: number | undefined;
}

/** A submission that was accepted and waits for its turn or its answer. */
export interface Pending extends Submission {
  readonly acceptedAt: number;
  /** When it was accepted, in monotonic milliseconds: may be before the process began. */
  readonly since: number;
  /** Bytes of the event itself, its target table not counted. */
  readonly bytes: number;
  /** Attempts of the present send: pauses do not count, a secret that could not be read does. */
  attempts: number;
  /** How many deliveries of its sink had arrived when the present send began. */
  arrivedBefore: number;
  /** …and when its configuration was last refused; undefined: it never was. */
  refusedAfter: number | undefined;
  /** How often its sink had been parked when the present send began. */
  parks: number;
  /** Sends that failed while others of its sink arrived. */
  failedSends: number;
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
  /** Requests made. */
  readonly requests: number;
  /** From acceptance to the end, in milliseconds. */
  readonly latencyMs: number;
}

/** `held`: one stream waits while others arrive; `paused`: the receiver named a time; else the whole sink is parked. */
export type StallKind = 'held' | 'paused' | ParkKind;

/** Why something of a sink waits, and until when. */
export interface Stall<Kind extends StallKind = StallKind> {
  readonly kind: Kind;
  /** CamelCase reason of the receiver's table. */
  readonly reason: string;
  /** For a human, never with a credential. */
  readonly message: string;
  /** When the oldest delivery that waits was accepted: milliseconds since the epoch. */
  readonly since: number;
  /** When the next try is due, or the pause over: milliseconds since the epoch. */
  readonly nextAt: number;
  /** Deliveries that wait. */
  readonly waiting: number;
}

/** A pause that a receiver asked for. */
export interface Pause extends Stall<'paused'> {
  /** Whether it is the first that is told since something arrived. */
  readonly begun: boolean;
}

/** A send that failed: its delivery stays, and comes again. */
export interface Setback extends Stall<'held' | ParkKind> {
  /** Whether the sink is parked by it, or parked for another cause than before. */
  readonly begun: boolean;
}
