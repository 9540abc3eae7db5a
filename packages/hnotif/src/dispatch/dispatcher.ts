import { sleep, type Clock } from '../clock.ts';
import { deliveryId } from '../lifecycle/ids.ts';
import type { Outcome } from '../sinks/outcome.ts';
import type { PlanView } from '../resources/plan-view.ts';
import { sinkKey, type SinkAddress } from '../resources/sink-address.ts';
import type { Notice } from '../sinks/notice.ts';
import type { Permits, Rate } from '../sinks/rate.ts';
import type { ReadySink } from '../sinks/sink.ts';
import type { TemplateSource } from '../render/template.ts';
import type { Pending, Submission } from './delivery.ts';
import { Lane } from './lane.ts';
import { Ledger, type DispatchListener, type End } from './ledger.ts';
import { LIMITS, type Limits } from './limits.ts';
import { isExpendable } from './overflow.ts';
import { decide } from './retry.ts';
import { sizeOfEvent } from './size.ts';
import { Slot } from './slot.ts';
import { Slots } from './slots.ts';
import type { Stream } from './stream.ts';

/** What a delivery's sink and plan are at the moment of sending. */
export type Resolution =
  | {
      readonly kind: 'ready';
      readonly sink: ReadySink;
      readonly plan: PlanView;
      readonly template: TemplateSource | undefined;
      /** What of the way there should be told. */
      readonly notice: Notice | undefined;
    }
  /** The notification or the sink is gone. */
  | { readonly kind: 'unsubscribed' }
  /** It cannot be sent to just now: counts as an attempt with this outcome. */
  | { readonly kind: 'unready'; readonly outcome: Outcome };

export interface DispatcherOptions {
  readonly clock: Clock;
  /** Reads the sink's present configuration; must not reject. Synchronous when everything is at hand. */
  readonly resolve: (submission: Submission) => Resolution | Promise<Resolution>;
  readonly listener: DispatchListener;
  /** The rate limits of sinks. */
  readonly permits: Permits;
  readonly limits?: Partial<Limits>;
}

export interface DispatchStats {
  readonly deliveries: number;
  readonly bytes: number;
  readonly streams: number;
  readonly inFlight: number;
}

type Ready = Extract<Resolution, { kind: 'ready' }>;

/** How long aborted requests may take to end, in milliseconds. */
const ABORT_MS = 1_000;

const DELIVERED: End = { result: 'delivered' };
const SUPPRESSED: End = { result: 'suppressed' };
const EXPIRED: End = { result: 'dropped', reason: 'expired' };
const OVERFLOW: End = { result: 'dropped', reason: 'overflow' };
const UNSUBSCRIBED: End = { result: 'dropped', reason: 'unsubscribed' };
const SHUTDOWN: End = { result: 'dropped', reason: 'shutdown' };

/**
 * Takes events in and sends them out: streams in order, each independent of the others, everything bounded.
 * In memory: what waits when the process dies is lost with it.
 */
export class Dispatcher {
  readonly #clock: Clock;
  readonly #resolve: DispatcherOptions['resolve'];
  readonly #limits: Limits;
  readonly #ledger: Ledger;
  readonly #permits: Permits;
  readonly #lanes = new Map<string, Lane>();
  readonly #origins: Slots;
  readonly #due = new Set<Lane>();
  #scheduled = false;
  #stopping = false;
  #aborted = false;

  constructor(options: DispatcherOptions) {
    this.#clock = options.clock;
    this.#resolve = options.resolve;
    this.#permits = options.permits;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#ledger = new Ledger(options.clock, options.listener);
    this.#origins = new Slots(this.#limits.requestsPerOrigin);
  }

  /**
   * Hands an event over. Synchronous, bounded, no I/O, never throws: returns whether it was accepted; what was
   * not, and what had to go for it, is told to the listener as dropped.
   */
  submit(submission: Submission): boolean {
    try {
      return this.#accept(submission);
    } catch (error) {
      this.#ledger.fault(error);
      return false;
    }
  }

  /** A sink is gone: what waits for it is dropped at once, even in a pause. What is in flight ends as it ends. */
  unsubscribe(to: SinkAddress): void {
    const lane = this.#lanes.get(sinkKey(to));
    if (lane === undefined) return;
    lane.forgetPause();
    for (const stream of lane.streams.values()) {
      for (const pending of stream.clear()) this.#ledger.settle(pending, UNSUBSCRIBED);
      if (stream.size === 0) lane.streams.delete(stream.planUid);
    }
    this.#schedule(lane);
  }

  stats(): DispatchStats {
    const { deliveries, bytes } = this.#ledger;
    let streams = 0;
    let inFlight = 0;
    for (const lane of this.#lanes.values()) {
      streams += lane.streams.size;
      inFlight += lane.inFlight;
    }
    return { deliveries, bytes, streams, inFlight };
  }

  /**
   * Takes nothing more, goes on sending what waits for at most `ms` (or until `hurry` aborts), then aborts what is in
   * flight and drops the rest as `shutdown`. Resolves when nothing is left.
   */
  async drain(ms: number, hurry?: AbortSignal): Promise<void> {
    this.#stopping = true;
    await this.#empty(ms, hurry);
    this.#aborted = true;
    this.#origins.close();
    for (const lane of this.#lanes.values()) {
      lane.close();
      for (const stream of lane.streams.values())
        for (const pending of stream.clear()) this.#ledger.settle(pending, SHUTDOWN);
    }
    // What is in flight ends by the abort; an answer that is in already still counts.
    await this.#empty(ABORT_MS);
    for (const lane of this.#lanes.values())
      for (const stream of lane.streams.values())
        if (stream.head) this.#finish(lane, stream, stream.head, SHUTDOWN);
    this.#lanes.clear();
  }

  /** Resolves when nothing waits any more, after `ms`, or when `hurry` aborts. */
  async #empty(ms: number, hurry?: AbortSignal): Promise<void> {
    if (this.#ledger.deliveries === 0 || hurry?.aborted === true) return;
    const enough = new AbortController();
    const end = (): void => {
      enough.abort();
    };
    this.#ledger.onEmpty = end;
    hurry?.addEventListener('abort', end, { once: true });
    await sleep(this.#clock, ms, enough.signal);
    hurry?.removeEventListener('abort', end);
    this.#ledger.onEmpty = undefined;
  }

  #accept(submission: Submission): boolean {
    const { to, sinkType, event, plan } = submission;
    const acceptedAt = this.#clock.monotonic();
    const bytes = sizeOfEvent(event);
    const progress = { rung: 0, unclearSince: undefined };
    const pending: Pending = {
      to,
      sinkType,
      event,
      plan,
      acceptedAt,
      bytes,
      attempts: 0,
      requests: 0,
      progress,
      noticed: false,
    };
    const refused = this.#stopping ? 'stopping' : this.#makeRoom(pending) ? undefined : 'overflow';
    if (refused !== undefined) {
      this.#ledger.refuse(pending, { result: 'dropped', reason: refused });
      return false;
    }
    const lane = this.#lane(sinkKey(to));
    const stream = lane.stream(event.planUid);
    this.#ledger.enter(pending);
    const gone = stream.push(pending, this.#limits);
    for (const victim of gone) this.#ledger.settle(victim, OVERFLOW);
    if (stream.state === 'idle') lane.queue(stream);
    this.#schedule(lane);
    return !gone.includes(pending);
  }

  /**
   * Whether the backlog takes one more; where it is full the oldest progress and phase changes go for it, whatever
   * stream they wait in. What tells how a night went is taken up to twice the bound.
   */
  #makeRoom(pending: Pending): boolean {
    const room = this.#limits.backlogBytes - this.#ledger.cost(pending);
    if (this.#ledger.bytes <= room) return true;
    for (const expendable of this.#ledger.expendables()) {
      const lane = this.#lanes.get(sinkKey(expendable.to));
      const stream = lane?.streams.get(expendable.event.planUid);
      if (stream?.remove(expendable) === true) this.#ledger.settle(expendable, OVERFLOW);
      if (this.#ledger.bytes <= room) return true;
    }
    return !isExpendable(pending.event) && this.#ledger.bytes <= room + this.#limits.backlogBytes;
  }

  #lane(key: string): Lane {
    let lane = this.#lanes.get(key);
    if (lane === undefined) this.#lanes.set(key, (lane = new Lane(key, this.#limits.requestsPerSink)));
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
    // One that was scheduled before it fell out of use may have a successor.
    if (lane.unused && this.#lanes.get(lane.key) === lane) this.#lanes.delete(lane.key);
  }

  /** One stream's turn: one attempt for its head, then the next in the row. Never rejects. */
  async #turn(lane: Lane, stream: Stream): Promise<void> {
    const { head } = stream;
    try {
      if (head !== undefined) await this.#send(lane, stream, head);
    } catch (error) {
      this.#ledger.fault(error);
      if (head !== undefined) this.#finish(lane, stream, head, { result: 'dropped', reason: 'internal' });
    } finally {
      lane.finish();
      this.#pump(lane);
    }
  }

  async #send(lane: Lane, stream: Stream, head: Pending): Promise<void> {
    const { pauses } = lane;
    const next = await this.#prepare(lane, head);
    if ('result' in next) {
      this.#finish(lane, stream, head, next);
      return;
    }
    if (next.kind === 'unready') {
      this.#follow(lane, stream, head, next.outcome, pauses, []);
      return;
    }
    const { origin, rates } = next.sink;
    const slot = new Slot(this.#origins, origin, lane, this.#clock, () => head.requests++);
    // The slot is given back only when it is known what follows: the next one must see a pause.
    try {
      const outcome = await this.#request(lane, head, next, slot);
      if (slot.takenAt === undefined) this.#permits.giveBack(rates);
      if (slot.refused && !this.#aborted) lane.queue(stream, true);
      else this.#follow(lane, stream, head, outcome, pauses, rates);
    } finally {
      slot.release();
    }
  }

  /**
   * The sink to which the head may send one request, with the tokens for it taken; or why there is none, or nothing more
   * to send. After a wait for tokens everything is looked at anew.
   */
  async #prepare(lane: Lane, head: Pending): Promise<Exclude<Resolution, { kind: 'unsubscribed' }> | End> {
    const limit = isExpendable(head.event) ? this.#limits.maxAgeOfProgressMs : this.#limits.maxAgeMs;
    for (let paid = false; ;) {
      if (this.#clock.monotonic() - head.acceptedAt > limit) return EXPIRED;
      const resolved = this.#resolve(head);
      const resolution = resolved instanceof Promise ? await resolved : resolved;
      if (resolution.kind === 'unsubscribed') return UNSUBSCRIBED;
      if (resolution.kind === 'unready') return resolution;
      const { rates } = resolution.sink;
      if (resolution.sink.suppresses(head.event)) return SUPPRESSED;
      if (paid || rates.length === 0) return resolution;
      const permit = this.#permits.take(rates, lane.signal);
      if (permit === true) return resolution;
      if (!(await permit)) return SHUTDOWN;
      paid = true;
    }
  }

  async #request(lane: Lane, head: Pending, ready: Ready, slot: Slot): Promise<Outcome> {
    const { namespace, notification, sink: sinkName } = head.to;
    const { event, progress } = head;
    const { sink, plan, template } = ready;
    const notice = (told: Notice): void => {
      this.#ledger.noticed(head, told);
    };
    const id = deliveryId(event.id, namespace, notification, sinkName);
    const delivery = { id, event, sinkName, plan, template, progress };
    const outcome = await sink.deliver(delivery, { signal: lane.signal, slot: () => slot.take(), notice });
    if (slot.takenAt === undefined) return outcome;
    if (outcome.kind === 'delivered' && ready.notice !== undefined) notice(ready.notice);
    this.#ledger.attempted(head, outcome, this.#clock.monotonic() - slot.takenAt);
    return outcome;
  }

  /** What comes after an attempt that began after `pauses` pauses of its lane, with tokens of these buckets. */
  #follow(
    lane: Lane,
    stream: Stream,
    head: Pending,
    outcome: Outcome,
    pauses: number,
    rates: readonly Rate[],
  ): void {
    if (this.#aborted) {
      this.#finish(lane, stream, head, outcome.kind === 'delivered' ? DELIVERED : SHUTDOWN);
      return;
    }
    const attempts = head.attempts++;
    const decision = decide(outcome, attempts, this.#clock.random(), this.#limits);
    switch (decision.kind) {
      case 'delivered':
        lane.opened(pauses);
        this.#finish(lane, stream, head, DELIVERED);
        return;
      case 'continue':
        lane.opened(pauses);
        head.attempts = decision.anew ? 0 : attempts;
        // What was begun is finished first: a root without its reply tells nobody anything.
        lane.queue(stream, true);
        return;
      case 'wait':
        head.attempts = attempts;
        this.#hold(lane, stream, decision.forMs);
        return;
      case 'failed':
        this.#finish(lane, stream, head, { ...decision, result: 'failed' });
        return;
      case 'retry':
        this.#hold(lane, stream, decision.afterMs);
        return;
      case 'pause':
        head.attempts = attempts;
        for (const { key } of rates) this.#permits.pause(key, decision.forMs);
        lane.queue(stream, true);
        lane.pause(this.#clock, decision.forMs, () => {
          this.#schedule(lane);
        });
        return;
    }
  }

  /** The stream comes again after so long; others go on. */
  #hold(lane: Lane, stream: Stream, ms: number): void {
    stream.state = 'held';
    stream.cancelHold = this.#clock.after(ms, () => {
      lane.queue(stream);
      this.#schedule(lane);
    });
  }

  /** The head has ended; its stream goes on with the next, or is no more. */
  #finish(lane: Lane, stream: Stream, head: Pending, end: End): void {
    if (stream.head !== head) return; // `drain` was quicker.
    stream.shift();
    if (stream.size > 0) lane.queue(stream);
    else lane.streams.delete(stream.planUid);
    this.#ledger.settle(head, end);
  }
}
