import type { LifecycleEvent } from '../lifecycle/event.ts';
import type { TemplateSource } from '../render/template.ts';
import type { PlanView } from '../resources/plan-view.ts';
import type { Degradation } from './degradation.ts';
import type { Outcome } from './outcome.ts';
import type { Rate } from './rate.ts';

/** One event on its way to one sink. */
export interface Delivery {
  /** The same for every attempt and every owner: receivers drop duplicates by it. */
  readonly id: string;
  readonly event: LifecycleEvent;
  readonly sinkName: string;
  readonly plan: PlanView;
  /** The custom template, where `templateRef` names one that is there. */
  readonly template: TemplateSource | undefined;
  /** The same object in all requests of a delivery. */
  readonly progress: Progress;
}

/** What a delivery has been through: the sink alone writes it, from one request to the next. */
export interface Progress {
  /** Steps down the ladder: 0 is the message as it is wished for, each further one is plainer. */
  level: number;
  /** Since when (milliseconds since the epoch) nobody knows whether a request has arrived; undefined: all is clear. */
  unclearSince: number | undefined;
  /** Why the receiver refused the forms before this one, each with its remedy. Default: none. */
  refusals?: readonly string[];
}

/** What goes with one request of a delivery. */
export interface Attempt {
  /** Ends it. */
  readonly signal: AbortSignal;
  /**
   * Waits for one of the receiver's slots: to be called right before the request, when the message has been made. False: it is
   * not to be sent now; the delivery then answers `ABORTED` and comes again.
   */
  readonly slot: () => boolean | Promise<boolean>;
  /** Tells what did not keep the message from arriving. */
  readonly degraded: (notice: Degradation) => void;
}

/** The outcome of a delivery that got no slot. */
export const ABORTED: Outcome = {
  kind: 'aborted',
  reason: 'Aborted',
  message: 'hnotif aborted the request',
};

/** A sink whose configuration has been read and found good. */
export interface ReadySink {
  /** Scheme, host and port of the receiver: what the limit of requests per origin counts. */
  readonly origin: string;
  /** The buckets of which each request takes a token before `deliver` is called; empty: no limit. */
  readonly rates: readonly Rate[];
  /** Whether the configuration says not to send this event. Such a delivery is counted as suppressed. */
  suppresses(event: LifecycleEvent): boolean;
  /** Whether progress of a target that waits is left out when newer progress of it waits, too. It is counted as suppressed. Default: false. */
  readonly coalescesProgress?: boolean;
  /** Why `templateRef` has no effect here, for the notification's condition; undefined: it has. */
  readonly ignoresTemplate: string | undefined;
  /** Shows what a message that stands, by its key, should show by now: what an earlier process did not come to. */
  repair?(key: string, plan: PlanView): void;
  /** Makes at most one request; `continue` asks to be called again. Never rejects. */
  deliver(delivery: Delivery, attempt: Attempt): Promise<Outcome>;
}
