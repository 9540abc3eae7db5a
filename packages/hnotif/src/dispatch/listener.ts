import type { Notice } from '../sinks/notice.ts';
import type { Outcome } from '../sinks/outcome.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { About, Pause, Setback, Settlement, Stall } from './delivery.ts';

/** What the dispatcher tells of its work. Called in order; a listener that throws is isolated. */
export interface DispatchListener {
  settled(settlement: Settlement): void;
  /** After each request. `durationMs` is the request's own time. */
  attempted(about: About, outcome: Outcome, durationMs: number): void;
  /** Something that did not keep a message from arriving, but that its owner should know. */
  noticed(about: About, notice: Notice): void;
  /** A send has failed, and the delivery comes again later. */
  putOff(about: About, setback: Setback): void;
  /** A receiver asked for a pause that is worth a word. */
  paused(about: About, pause: Pause): void;
  /** Something of a sink waits, since its namespace has more than its share of what all share. */
  overShare(to: SinkAddress, stall: Stall<'over-share'>): void;
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
    noticed: guard((about: About, notice: Notice) => {
      listener.noticed(about, notice);
    }),
    putOff: guard((about: About, setback: Setback) => {
      listener.putOff(about, setback);
    }),
    paused: guard((about: About, pause: Pause) => {
      listener.paused(about, pause);
    }),
    overShare: guard((to: SinkAddress, stall: Stall<'over-share'>) => {
      listener.overShare(to, stall);
    }),
    released: guard((to: SinkAddress, waiting: number, forMs: number) => {
      listener.released(to, waiting, forMs);
    }),
    fault: guard((error: unknown) => {
      listener.fault(error);
    }),
  };
}
