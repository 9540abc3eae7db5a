import type { Clock } from '../clock.ts';
import type { Notice } from '../sinks/notice.ts';
import type { Outcome } from '../sinks/outcome.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { Pause, Pending, Setback, Settlement, Submission } from './delivery.ts';
import { isExpendable } from './overflow.ts';
import { DROP_REASONS, type DropReason } from './reasons.ts';
import { BacklogSize } from './size.ts';

/** What the dispatcher tells of its work. Called in order; a listener that throws is isolated. */
export interface DispatchListener {
  settled(settlement: Settlement): void;
  /** After each request. `durationMs` is the request's own time. */
  attempted(delivery: Submission, outcome: Outcome, durationMs: number): void;
  /** Something that did not keep a message from arriving, but that somebody should know. */
  noticed(delivery: Submission, notice: Notice): void;
  /** A send has failed, and the delivery comes again later. */
  putOff(delivery: Submission, setback: Setback): void;
  /** A receiver asked for a pause that is worth a word. */
  paused(delivery: Submission, pause: Pause): void;
  /** A sink that was parked for so long (milliseconds) takes messages again; `waiting` deliveries wait for it. */
  released(to: SinkAddress, waiting: number, forMs: number): void;
  /** A fault of our own. */
  fault(error: unknown): void;
}

/** How a delivery ended, in short. */
export type End =
  | { readonly result: 'delivered' }
  /** The sink's configuration says not to send it. */
  | { readonly result: 'suppressed' }
  | {
      readonly result: 'failed';
      readonly reason: string;
      readonly message: string;
    }
  /** Without a message the words of the table are told. */
  | { readonly result: 'dropped'; readonly reason: DropReason; readonly message?: string };

/** The books: what waits and how many bytes it takes; how each delivery ended, told to the listener once. */
export class Ledger {
  readonly #clock: Clock;
  readonly #listener: DispatchListener;
  readonly #backlog = new BacklogSize();
  readonly #waiting = new Set<Pending>();
  readonly #expendables = new Set<Pending>();
  /** Called when nothing waits any more. */
  onEmpty: (() => void) | undefined;

  constructor(clock: Clock, listener: DispatchListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  get deliveries(): number {
    return this.#waiting.size;
  }

  /** What has been accepted and has not ended. */
  waiting(): Iterable<Pending> {
    return this.#waiting;
  }

  /** What has been accepted and may go, oldest first. */
  expendables(): Iterable<Pending> {
    return this.#expendables;
  }

  /** Bytes that one more would add. */
  cost(pending: Pending): number {
    return this.#backlog.cost(pending.event, pending.bytes);
  }

  get bytes(): number {
    return this.#backlog.bytes;
  }

  /** A delivery was accepted. */
  enter(pending: Pending): void {
    this.#waiting.add(pending);
    this.#backlog.add(pending.event, pending.bytes);
    if (isExpendable(pending.event)) this.#expendables.add(pending);
  }

  /** A delivery that was entered has ended. */
  settle(pending: Pending, end: End): void {
    this.#strike(pending);
    this.refuse(pending, end);
    if (this.#waiting.size === 0) this.onEmpty?.();
  }

  /** A delivery that was entered is somebody else's from now on: nothing is told of it. */
  forget(pending: Pending): void {
    this.#strike(pending);
    if (this.#waiting.size === 0) this.onEmpty?.();
  }

  #strike(pending: Pending): void {
    this.#waiting.delete(pending);
    this.#expendables.delete(pending);
    this.#backlog.remove(pending.event, pending.bytes);
  }

  /** A delivery has ended that was never entered. */
  refuse(pending: Pending, end: End): void {
    const { to, sinkType, event, plan, requests, noticed } = pending;
    const { result } = end;
    const reason = 'reason' in end ? end.reason : '';
    const words = end.result === 'dropped' ? DROP_REASONS[end.reason] : '';
    const message = ('message' in end ? end.message : undefined) ?? words;
    const latencyMs = this.#clock.monotonic() - pending.since;
    this.#tell((listener) => {
      listener.settled({
        to,
        sinkType,
        event,
        plan,
        result,
        reason,
        message,
        requests,
        noticed,
        latencyMs,
      });
    });
  }

  attempted(pending: Pending, outcome: Outcome, durationMs: number): void {
    this.#tell((listener) => {
      listener.attempted(pending, outcome, durationMs);
    });
  }

  noticed(pending: Pending, notice: Notice): void {
    pending.noticed = true;
    this.#tell((listener) => {
      listener.noticed(pending, notice);
    });
  }

  putOff(pending: Pending, setback: Setback): void {
    this.#tell((listener) => {
      listener.putOff(pending, setback);
    });
  }

  paused(pending: Pending, pause: Pause): void {
    this.#tell((listener) => {
      listener.paused(pending, pause);
    });
  }

  released(to: SinkAddress, waiting: number, forMs: number): void {
    this.#tell((listener) => {
      listener.released(to, waiting, forMs);
    });
  }

  fault(error: unknown): void {
    this.#tell((listener) => {
      listener.fault(error);
    });
  }

  /** A listener counts and logs: its fault is told, too, and must not cost a delivery. */
  #tell(call: (listener: DispatchListener) => void): void {
    try {
      call(this.#listener);
    } catch (error) {
      try {
        this.#listener.fault(error);
      } catch {
        // Nobody is left to tell.
      }
    }
  }
}
