import type { LifecycleEvent } from '../lifecycle/event.ts';
import type { Connector } from '../resources/connectors.ts';
import type { Outcome } from './outcome.ts';

/** What the event's plan looks like at the time of sending. */
export interface PlanView {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The connector of a target by its name; undefined where the plan does not list it any more. */
  connector(target: string): Connector;
}

/** One event on its way to one sink. */
export interface Delivery {
  /** The same for every attempt and every owner: receivers drop duplicates by it. */
  readonly id: string;
  readonly event: LifecycleEvent;
  readonly sinkName: string;
  readonly plan: PlanView;
}

/** A sink whose configuration has been read and found good. */
export interface ReadySink {
  /** Scheme, host and port of the receiver: what the limit of requests per origin counts. */
  readonly origin: string;
  /** One attempt; never rejects. */
  deliver(delivery: Delivery, signal: AbortSignal): Promise<Outcome>;
}
