import type { Clock } from '@hnotif/core/clock';
import type { TemplateSource } from '@hnotif/core/render';
import type { PlanView } from '@hnotif/core/resources';
import type { Cause, Degradation, Outcome, RateLimits, ReadySink, RateLimiter } from '@hnotif/core/sinks';
import type { Delivery, Destination } from './delivery.ts';
import type { Limits } from './limits.ts';
import type { DispatchListener } from './listener.ts';
import type { RequestSlots } from './request-slots.ts';

/** The sink and the plan of a delivery at the moment of sending. */
export type SinkResolution =
  | {
      readonly kind: 'ready';
      readonly sink: ReadySink;
      readonly plan: PlanView;
      readonly template: TemplateSource | undefined;
      /** A problem that should be reported when the message has arrived. */
      readonly degradation: Degradation | undefined;
      /** The secret with the configuration, for messages about a refused one. Default: it is not named. */
      readonly secret?: string;
    }
  /** The notification or the sink was deleted. */
  | { readonly kind: 'unsubscribed' }
  /** The notification sends nothing now. `sendsEndsInMs`: until it is checked again whether Success and Failure may be sent (milliseconds); undefined: they are dropped, too. */
  | { readonly kind: 'suspended'; readonly sendsEndsInMs?: number }
  /** Nothing can be sent now. This counts as an attempt with this outcome. */
  | { readonly kind: 'unready'; readonly outcome: Outcome };

/** What the parts of the dispatcher share. */
export interface DispatcherOptions {
  readonly clock: Clock;
  /** Reads the present configuration of the sink. Must not reject. Synchronous when there is nothing to wait for. */
  readonly resolve: (
    destination: Destination & Pick<Delivery, 'event'>,
  ) => SinkResolution | Promise<SinkResolution>;
  readonly listener: DispatchListener;
  /** The limits of requests. Those who make other requests to the same receivers take tokens and slots, too. */
  readonly rateLimits: RateLimits & Pick<RateLimiter, 'shareOf'> & { readonly slots: RequestSlots };
  /** Why attempts of a namespace wait before they make a request. Default: not known. */
  readonly blocked?: (namespace: string) => Cause | undefined;
  /**
   * Resolves when the outcomes of a plan are stored, or cannot be stored; undefined: they are stored. Must not reject. Default: nothing is
   * stored.
   */
  readonly persisted?: (planUid: string) => Promise<void> | undefined;
  readonly limits: Limits;
}
