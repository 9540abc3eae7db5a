import type { LifecycleEvent } from '../lifecycle/event.ts';
import type { TemplateSource } from '../render/template.ts';
import type { EventKind } from '../resources/kinds.ts';
import type { PlanView } from '../resources/plan-view.ts';
import type { Degradation } from './degradation.ts';
import type { Outcome } from './outcome.ts';
import type { Rate } from './rate.ts';

/** One event on its way to one sink. */
export interface Delivery {
  /** The same in every attempt and process: receivers drop duplicates by it. */
  readonly id: string;
  readonly event: LifecycleEvent;
  readonly sinkName: string;
  readonly plan: PlanView;
  /** The custom template, if `templateRef` names one that exists. */
  readonly template: TemplateSource | undefined;
  /** The same object in all requests of a delivery. */
  readonly progress: Progress;
}

/** What a sink keeps of a delivery from one request to the next. */
export interface Progress {
  /** The fallback level: 0 is the preferred message, each further one is plainer. */
  level: number;
  /** When the first ambiguous request was made (milliseconds since the epoch); undefined: none was. */
  unclearSince: number | undefined;
  /** Why the receiver refused the earlier forms, each with its remedy. Default: none. */
  refusals?: readonly string[];
}

/** One request of a delivery. */
export interface Attempt {
  /** Aborts it. */
  readonly signal: AbortSignal;
  /**
   * Waits for one of the receiver's slots. Call it right before the request, when the message is made. False: do not send; the delivery
   * returns `ABORTED` and comes again.
   */
  readonly slot: () => boolean | Promise<boolean>;
  /** Called with the HTTP status of the answer, if there is one. Default: the status is not reported. */
  readonly answered?: (status: number) => void;
  /** Reports a problem that did not keep the message from arriving. */
  readonly degraded: (degradation: Degradation) => void;
}

/** A message that was made. */
export interface MadeMessage {
  /** The JSON of the request's body. */
  readonly content: object;
  /** What went wrong while it was made. */
  readonly degradation: Degradation | undefined;
}

/** The outcome of a delivery that got no slot. */
export const ABORTED: Outcome = {
  kind: 'aborted',
  reason: 'Aborted',
  message: 'hnotif aborted the request',
};

/** A sink with a valid configuration. */
export interface ReadySink {
  /** Scheme, host and port of the receiver, for the limit of requests per origin. */
  readonly origin: string;
  /** Each request takes a token of each of these buckets before `deliver` is called; empty: no limit. */
  readonly rates: readonly Rate[];
  /** Whether the configuration excludes this event. The delivery is then counted as suppressed. */
  suppresses(event: LifecycleEvent): boolean;
  /** Whether waiting progress of a target is replaced by newer progress. It is then counted as suppressed. Default: false. */
  readonly coalescesProgress?: boolean;
  /** Why `templateRef` has no effect, for the notification's condition; undefined: it has one. */
  readonly ignoresTemplate: string | undefined;
  /** What of the configuration is not valid at a time (milliseconds since the epoch), and what to do. Default: nothing. */
  invalidAt?(now: number): readonly string[];
  /** The events whose replies the channel shows, too. Default: none. */
  readonly broadcasts?: ReadonlySet<EventKind>;
  /** Updates a message that an earlier process left stale. */
  repair?(key: string, plan: PlanView): void;
  /** Makes the message of a custom template without sending it. Default: templates have no effect. */
  rehearse?(delivery: Delivery, signal: AbortSignal): MadeMessage | Promise<MadeMessage>;
  /** Makes at most one request; `continue` asks to be called again. Never rejects. */
  deliver(delivery: Delivery, attempt: Attempt): Promise<Outcome>;
}
