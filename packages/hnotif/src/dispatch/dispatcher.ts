import { setMaxListeners } from 'node:events';
import { sleep, type Clock } from '../clock.ts';
import { deliveryId } from '../lifecycle/ids.ts';
import type { Outcome } from '../sinks/outcome.ts';
import type { PlanView, ReadySink } from '../sinks/sink.ts';
import type { Pending, Settlement, SinkAddress, Submission } from './delivery.ts';
import { Lane } from './lane.ts';
import { LIMITS, type Limits } from './limits.ts';
import { isExpendable } from './overflow.ts';
import { DROP_REASONS, type DropReason } from './reasons.ts';
import { decide } from './retry.ts';
import { BacklogSize, sizeOfEvent } from './size.ts';
import { Slots } from './slots.ts';
import type { Stream } from './stream.ts';

/** What a delivery's sink and plan are at the moment of sending. */
export type Resolution =
  | { readonly kind: 'ready'; readonly sink: ReadySink; readonly plan: PlanView }
  /** The notification or the sink is gone. */
  | { readonly kind: 'unsubscribed' }
  /** It cannot be sent to just now: counts as an attempt with this outcome. */
  | { readonly kind: 'unready'; readonly outcome: Outcome };

/** What the dispatcher tells of its work. Called in order; a listener that throws is isolated. */
export interface DispatchListener {
  settled(settlement: Settlement): void;
  /** After each request. `durationMs` is the request's own time. */
  attempted(delivery: Submission, outcome: Outcome, durationMs: number): void;
  /** A fault of our own. */
  fault(error: unknown): void;
}

export interface DispatcherOptions {
  readonly clock: Clock;
  /** Reads the sink's present configuration; must not reject. Synchronous when everything is at hand. */
  readonly resolve: (submission: Submission) => Resolution | Promise<Resolution>;
  readonly listener: DispatchListener;
  readonly limits?: Partial<Limits>;
}

export interface DispatchStats {
  readonly deliveries: number;
  readonly bytes: number;
  readonly streams: number;
  readonly inFlight: number;
}

/**
 * Takes events in and sends them out: streams in order, each independent of the others, everything bounded.
 * In memory: what waits when the process dies is lost with it.
 */
export class Dispatcher {
  readonly #clock: Clock;
  readonly #resolve: DispatcherOptions['resolve'];
  readonly #listener: DispatchListener;
  readonly #limits: Limits;
  readonly #lanes = new Map<string, Lane>();
  readonly #origins: Slots;
  readonly #backlog = new BacklogSize();
  readonly #abort = new AbortController();
  readonly #due = new Set<Lane>();
  #scheduled = false;
  #stopping = false;
  #waiting = 0;
  #drained: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    this.#clock = options.clock;
    this.#resolve = options.resolve;
    this.#listener = options.listener;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#origins = new Slots(this.#limits.requestsPerOrigin);
    // Every request in flight listens to it.
    setMaxListeners(0, this.#abort.signal);
  }

  /**
   * Hands an event over. Synchronous, bounded, no I/O, never throws: returns whether it was accepted; what was
   * not, and what had to go for it, is told to the listener as dropped.
   */
  submit(submission: Submission): boolean {
    try {
      return this.#accept(submission);
    } catch (error) {
      this.#tell(() => {
        this.#listener.fault(error);
      });
      return false;
    }
  }

  stats(): DispatchStats {
    let streams = 0;
    let inFlight = 0;
    for (const lane of this.#lanes.values()) {
      streams += lane.streams.size;
      inFlight += lane.inFlight;
    }
    return { deliveries: this.#waiting, bytes: this.#backlog.bytes, streams, inFlight };
  }

  /**
   * Takes nothing more, goes on sending what waits for at most `ms` (or until `hurry` aborts), then aborts what is in
   * flight and drops the rest as `shutdown`. Resolves when nothing is left.
   */
  async drain(ms: number, hurry?: AbortSignal): Promise<void> {
    this.#stopping = true;
    if (this.#waiting > 0) {
      const drained = new AbortController();
      this.#drained = () => {
        drained.abort();
      };
      await sleep(
        this.#clock,
        ms,
        hurry === undefined ? drained.signal : AbortSignal.any([drained.signal, hurry]),
      );
      this.#drained = undefined;
    }
    this.#abort.abort();
    for (const lane of this.#lanes.values()) {
      lane.close();
      for (const stream of lane.streams.values())
        for (const pending of stream.clear()) this.#dropped(pending, 'shutdown');
    }
    this.#lanes.clear();
  }

  #accept(submission: Submission): boolean {
    const bytes = sizeOfEvent(submission.event);
    const pending: Pending = { ...submission, acceptedAt: this.#clock.monotonic(), bytes, attempts: 0 };
    const refused = this.#refusal(pending);
    if (refused !== undefined) {
      this.#settle(pending, 'dropped', refused, DROP_REASONS[refused]);
      return false;
    }
    const lane = this.#lane(submission.to);
    const stream = lane.stream(submission.event.planUid);
    this.#waiting++;
    this.#backlog.add(pending.event, bytes);
    const gone = stream.push(pending, this.#limits);
    for (const victim of gone) this.#dropped(victim, 'overflow');
    if (stream.state === 'idle') lane.queue(stream);
    this.#schedule(lane);
    return !gone.includes(pending);
  }

  #refusal(pending: Pending): DropReason | undefined {
    if (this.#stopping) return 'stopping';
    const room = this.#limits.backlogBytes * (isExpendable(pending.event) ? 1 : 2);
    return this.#backlog.bytes + pending.bytes > room ? 'overflow' : undefined;
  }

  #lane(address: SinkAddress): Lane {
    const key = `${address.namespace}/${address.notification}/${address.sink}`;
    let lane = this.#lanes.get(key);
    if (lane === undefined) this.#lanes.set(key, (lane = new Lane(address, this.#limits.requestsPerSink)));
    return lane;
  }

  /** Sending begins after the caller's turn: `submit` does no work but to put things in their place. */
  #schedule(lane: Lane): void {
    this.#due.add(lane);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const due = [...this.#due];
      this.#due.clear();
      for (const each of due) this.#pump(each);
    });
  }

  #pump(lane: Lane): void {
    for (let stream = lane.begin(); stream !== undefined; stream = lane.begin())
      void this.#turn(lane, stream);
    if (lane.unused) {
      const { namespace, notification, sink } = lane.address;
      this.#lanes.delete(`${namespace}/${notification}/${sink}`);
    }
  }

  /** One stream's turn: one attempt for its head, then the next in the row. Never rejects. */
  async #turn(lane: Lane, stream: Stream): Promise<void> {
    try {
      const { head } = stream;
      if (head !== undefined) await this.#send(lane, stream, head);
    } catch (error) {
      this.#tell(() => {
        this.#listener.fault(error);
      });
      if (stream.head !== undefined) this.#finish(lane, stream, stream.head, 'dropped', 'internal');
    } finally {
      lane.finish();
      this.#pump(lane);
    }
  }

  async #send(lane: Lane, stream: Stream, head: Pending): Promise<void> {
    const limit = isExpendable(head.event) ? this.#limits.maxAgeOfProgressMs : this.#limits.maxAgeMs;
    if (this.#clock.monotonic() - head.acceptedAt > limit) {
      this.#finish(lane, stream, head, 'dropped', 'expired');
      return;
    }
    const resolved = this.#resolve(head);
    const resolution = resolved instanceof Promise ? await resolved : resolved;
    if (resolution.kind === 'unsubscribed') {
      this.#finish(lane, stream, head, 'dropped', 'unsubscribed');
      return;
    }
    const outcome = resolution.kind === 'ready' ? await this.#attempt(head, resolution) : resolution.outcome;
    const decision = decide(outcome, head.attempts++, this.#clock.random(), this.#limits);
    if (this.#abort.signal.aborted) return; // `drain` has settled it.
    switch (decision.kind) {
      case 'delivered':
        lane.opened();
        this.#finish(lane, stream, head, 'delivered', '');
        return;
      case 'failed':
        this.#finish(lane, stream, head, 'failed', decision.reason, decision.message);
        return;
      case 'retry':
        stream.state = 'held';
        stream.cancelHold = this.#clock.after(decision.afterMs, () => {
          lane.queue(stream);
          this.#schedule(lane);
        });
        return;
      case 'pause':
        head.attempts--;
        lane.queue(stream, true);
        lane.pause(this.#clock, decision.forMs, () => {
          this.#schedule(lane);
        });
        return;
      case 'aborted':
        return;
    }
  }

  async #attempt(head: Pending, { sink, plan }: Extract<Resolution, { kind: 'ready' }>): Promise<Outcome> {
    const { signal } = this.#abort;
    const slot = this.#origins.acquire(sink.origin, signal);
    if (slot !== true && !(await slot)) return { kind: 'aborted', reason: 'Stopped', message: '' };
    const { namespace, notification, sink: sinkName } = head.to;
    const id = deliveryId(head.event.id, namespace, notification, sinkName);
    const begun = this.#clock.monotonic();
    try {
      const outcome = await sink.deliver({ id, event: head.event, sinkName, plan }, signal);
      this.#tell(() => {
        this.#listener.attempted(head, outcome, this.#clock.monotonic() - begun);
      });
      return outcome;
    } finally {
      this.#origins.release(sink.origin);
    }
  }

  #finish(
    lane: Lane,
    stream: Stream,
    head: Pending,
    result: Settlement['result'],
    reason: string,
    message?: string,
  ): void {
    if (stream.head !== head) return; // `drain` was quicker.
    stream.shift();
    this.#forget(head);
    if (stream.size > 0) lane.queue(stream);
    else {
      stream.state = 'idle';
      lane.streams.delete(stream.planUid);
    }
    this.#settle(
      head,
      result,
      reason,
      message ?? (result === 'dropped' ? DROP_REASONS[reason as DropReason] : ''),
    );
    if (this.#waiting === 0) this.#drained?.();
  }

  /** Something that waited goes without having been sent. */
  #dropped(pending: Pending, reason: DropReason): void {
    this.#forget(pending);
    this.#settle(pending, 'dropped', reason, DROP_REASONS[reason]);
  }

  #forget(pending: Pending): void {
    this.#waiting--;
    this.#backlog.remove(pending.event, pending.bytes);
  }

  #settle(pending: Pending, result: Settlement['result'], reason: string, message: string): void {
    const { to, sinkType, event, plan, attempts } = pending;
    const latencyMs = this.#clock.monotonic() - pending.acceptedAt;
    this.#tell(() => {
      this.#listener.settled({ to, sinkType, event, plan, result, reason, message, attempts, latencyMs });
    });
  }

  #tell(call: () => void): void {
    try {
      call();
    } catch {
      // A listener counts and logs; its own failure must not cost a delivery.
    }
  }
}
