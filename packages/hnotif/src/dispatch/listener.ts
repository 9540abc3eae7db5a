import type { Degradation, Outcome } from '@hnotif/core/sinks';
import type { SinkAddress } from '@hnotif/core/resources';
import type { About, FailedSend, RequestTimes, Settlement, SinkWait } from './delivery.ts';

/** What the dispatcher reports. Calls come in order. */
export interface DispatchListener {
  settled(settlement: Settlement): void;
  /** After each request. `about` is the same object for all requests of a delivery. */
  attempted(about: About, outcome: Outcome, times: RequestTimes): void;
  /** The message arrives, but its owner should know of a problem. */
  degraded(about: About, degradation: Degradation): void;
  /** A send has failed. The delivery is sent again later. */
  sendFailed(about: About, failure: FailedSend): void;
  /** Deliveries of a sink wait for longer than a moment. Repeated while that lasts. `begun`: the reason is new. */
  waits(to: SinkAddress, wait: SinkWait, begun: boolean): void;
  /** Deliveries of the sink no longer wait. */
  resumed(to: SinkAddress): void;
  /** The circuit of a sink was open for `openForMs` and has closed. `waiting` deliveries wait for the sink. */
  circuitClosed(to: SinkAddress, waiting: number, openForMs: number): void;
  /** A fault of hnotif itself. */
  fault(error: unknown): void;
}

/** Calls a listener. Its exceptions become faults: a listener only counts and logs, and must not cost a delivery. */
export function report<Name extends keyof DispatchListener>(
  listener: DispatchListener,
  name: Name,
  ...about: Parameters<DispatchListener[Name]>
): void {
  try {
    Reflect.apply(listener[name], listener, about);
  } catch (error) {
    // A fault that cannot be reported has no other place.
    if (name !== 'fault') report(listener, 'fault', error);
  }
}
