import type { LifecycleEvent } from '../lifecycle/event.ts';
import type { PlanView } from '../resources/plan-view.ts';
import type { Outcome } from './outcome.ts';

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
