import type { Degradation } from '../sinks/degradation.ts';
import type { Outcome } from '../sinks/outcome.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { About, Setback, Settlement, Stall } from './delivery.ts';

/** What the dispatcher tells of its work. Called in order; a listener that throws is isolated. */
export interface DispatchListener {
  settled(settlement: Settlement): void;
  /** After each request. `durationMs` is the request's own time. */
  attempted(about: About, outcome: Outcome, durationMs: number): void;
  /** Something that did not keep a message from arriving, but that its owner should know. */
  noticed(about: About, notice: Degradation): void;
  /** A send has failed, and the delivery comes again later. */
  putOff(about: About, setback: Setback): void;
  /** Something of a sink waits for longer than a moment; again, some seconds apart, while that lasts. `begun`: for a new reason. */
  waits(to: SinkAddress, stall: Stall, begun: boolean): void;
  /** …and no more. */
  flows(to: SinkAddress): void;
  /** A sink whose circuit was open for so long (milliseconds) takes messages again; `waiting` deliveries wait for it. */
  released(to: SinkAddress, waiting: number, forMs: number): void;
  /** A fault of our own. */
  fault(error: unknown): void;
}

/** A listener counts and logs: its fault is told, too, and must not cost a delivery. */
export function isolated(listener: DispatchListener): DispatchListener {
  const guard =
    <Told extends readonly unknown[]>(call: (...told: Told) => void) =>
    (...told: Told): void => {
      try {
        call(...told);
      } catch (error) {
        try {
          listener.fault(error);
        } catch {
          // There is no one left to tell.
        }
      }
    };
  return {
    settled: guard((settlement: Settlement) => {
      listener.settled(settlement);
    }),
    attempted: guard((about: About, outcome: Outcome, durationMs: number) => {
      listener.attempted(about, outcome, durationMs);
    }),
    noticed: guard((about: About, notice: Degradation) => {
      listener.noticed(about, notice);
    }),
    putOff: guard((about: About, setback: Setback) => {
      listener.putOff(about, setback);
    }),
    waits: guard((to: SinkAddress, stall: Stall, begun: boolean) => {
      listener.waits(to, stall, begun);
    }),
    flows: guard((to: SinkAddress) => {
      listener.flows(to);
    }),
    released: guard((to: SinkAddress, waiting: number, forMs: number) => {
      listener.released(to, waiting, forMs);
    }),
    fault: guard((error: unknown) => {
      listener.fault(error);
    }),
  };
}
