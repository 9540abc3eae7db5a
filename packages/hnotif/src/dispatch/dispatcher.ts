import { sleep, type Clock } from '../clock.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { Permits } from '../sinks/rate.ts';
import { Admission, pendingOf } from './accept.ts';
import { Aftermath } from './aftermath.ts';
import { Ages } from './ages.ts';
import type { Pending, Stall, Submission } from './delivery.ts';
import type { Lane } from './lane.ts';
import { Lanes } from './lanes.ts';
import { Ledger, type DispatchListener, type End } from './ledger.ts';
import { LIMITS, type Limits } from './limits.ts';
import type { ParkKind } from './park.ts';
import { expired } from './expiry.ts';
import { INTERNAL, OVERFLOW, SHUTDOWN, STOPPING, UNSUBSCRIBED } from './reasons.ts';
import { Slots } from './slots.ts';
import { stallOf } from './stall.ts';
import type { Stream } from './stream.ts';
import { Turns, type Resolution, type Result } from './turn.ts';

export type { Resolution } from './turn.ts';

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
  /** Sinks that are parked now. */
  readonly parked: Readonly<Record<ParkKind, number>>;
}

export interface DrainOptions {
  /** Ends the sending before its time. */
  readonly hurry?: AbortSignal | undefined;
  /** What is left is somebody else's: it is handed back, and nothing is told of it. Default: it is dropped as `shutdown`. */
  readonly keep?: boolean;
}

/** How long aborted requests may take to end, in milliseconds. */
const ABORT_MS = 1_000;

/**
 * Takes events in and sends them out: streams in order, each independent of the others, everything bounded. What it holds is
 * in memory alone.
 */
export class Dispatcher {
  readonly #clock: Clock;
  readonly #limits: Limits;
  readonly #ledger: Ledger;
  readonly #lanes: Lanes;
  readonly #ages: Ages;
  readonly #admission: Admission;
  readonly #turns: Turns;
  readonly #aftermath: Aftermath;
  readonly #origins: Slots;
  /** `drains`: takes nothing more; `aborted`: sends nothing more either. */
  #state: 'serves' | 'drains' | 'aborted' = 'serves';
  /** What a stop hands back; undefined: it is dropped. */
  #kept: Submission[] | undefined;
  /** Ends the wait of a drain. */
  #enough: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    const { clock, resolve, permits, listener } = options;
    const limits = (this.#limits = { ...LIMITS, ...options.limits });
    this.#clock = clock;
    const ledger = (this.#ledger = new Ledger(clock, listener));
    const origins = (this.#origins = new Slots(limits.requestsPerOrigin));
    const lanes = (this.#lanes = new Lanes(limits.requestsPerSink, (lane, stream) =>
      this.#turn(lane, stream),
    ));
    const ages = (this.#ages = new Ages({
      clock,
      limits,
      waiting: () => ledger.waiting(),
      expire: (pending) => {
        this.#expire(pending);
      },
    }));
    ledger.onEmpty = () => {
      ages.rest();
    };
    this.#admission = new Admission(limits, ledger, lanes);
    this.#turns = new Turns({ clock, resolve, permits, ledger, ages, origins });
    this.#aftermath = new Aftermath({
      ...{ clock, limits, permits, ledger, lanes },
      finish: (lane, stream, head, end) => {
        this.#finish(lane, stream, head, end);
      },
    });
  }

  /**
   * Hands an event over. Synchronous, bounded, no I/O, never throws: returns whether it was accepted; what was
   * not, and what had to go for it, is told to the listener as dropped.
   */
  submit(submission: Submission): boolean {
    try {
      const pending = pendingOf(submission, this.#clock);
      if (this.#state !== 'serves') {
        // What somebody else keeps is still theirs.
        if (this.#kept === undefined) this.#ledger.refuse(pending, STOPPING);
        return false;
      }
      if (!this.#admission.admit(pending)) return false;
      this.#ages.enter(pending);
      return true;
    } catch (error) {
      this.#ledger.fault(error);
      return false;
    }
  }

  /** There is no room for it elsewhere: it is dropped, unless it has been tried. */
  discard(submission: Submission): void {
    const { to, event } = submission;
    const pending = this.#lanes.find(to)?.streams.get(event.planUid)?.find(event.id);
    if (pending === undefined) this.#ledger.refuse(pendingOf(submission, this.#clock), OVERFLOW);
    else if (this.#lanes.withdraw(pending, (stream) => stream.remove(pending)) !== undefined)
      this.#ledger.settle(pending, OVERFLOW);
  }

  /** After a stop that kept it: nobody else has it, so it ends with the process. */
  lose(submission: Submission): void {
    this.#ledger.refuse(pendingOf(submission, this.#clock), SHUTDOWN);
  }

  /** A sink is gone: what waits for it is dropped at once, even in a pause. What is in flight ends as it ends. */
  unsubscribe(to: SinkAddress): void {
    const lane = this.#lanes.find(to);
    if (lane === undefined) return;
    lane.forget();
    for (const stream of lane.streams.values()) {
      for (const pending of stream.clear()) this.#ledger.settle(pending, UNSUBSCRIBED);
      lane.tidy(stream);
    }
    this.#lanes.schedule(lane);
  }

  /** A sink's configuration is another one: if it is parked, it is tried at once. */
  renewed(to: SinkAddress): void {
    this.#lanes.find(to)?.park?.hurry();
  }

  /** Whether there is room for more. What is never dropped is taken without, so nobody should begin to bring it. */
  get hasRoom(): boolean {
    return this.#ledger.bytes <= this.#limits.backlogBytes;
  }

  /** Why something of a sink waits, and until when; undefined: nothing does, or not for long. */
  stall(to: SinkAddress): Stall | undefined {
    const lane = this.#lanes.find(to);
    return lane && stallOf(lane);
  }

  stats(): DispatchStats {
    const { deliveries, bytes } = this.#ledger;
    const parked = { parked: 0, quarantined: 0 };
    let streams = 0;
    let inFlight = 0;
    for (const lane of this.#lanes.all()) {
      streams += lane.streams.size;
      inFlight += lane.inFlight;
      if (lane.park !== undefined) parked[lane.park.cause.kind]++;
    }
    return { deliveries, bytes, streams, inFlight, parked };
  }

  /**
   * Takes nothing more and goes on sending for at most `ms`, or until nothing more can be sent by then (what is parked or held
   * is not waited for); then aborts what is in flight. What is left is dropped as `shutdown`, or handed back. Resolves when
   * nothing is left.
   */
  async drain(ms: number, { hurry, keep = false }: DrainOptions = {}): Promise<readonly Submission[]> {
    if (keep) this.#kept ??= [];
    if (this.#state === 'serves') this.#state = 'drains';
    const deadline = this.#clock.monotonic() + ms;
    await this.#until((lane) => lane.restsUntil(deadline), ms, hurry);
    this.#close();
    for (const lane of this.#lanes.all())
      for (const stream of lane.streams.values())
        for (const pending of stream.clear()) this.#settle(pending, SHUTDOWN);
    // What is in flight ends by the abort; an answer that is in already still counts.
    await this.#until((lane) => lane.inFlight === 0, ABORT_MS);
    for (const lane of this.#lanes.all())
      for (const stream of lane.streams.values())
        if (stream.head) this.#finish(lane, stream, stream.head, SHUTDOWN);
    this.#lanes.clear();
    return this.#kept ?? [];
  }

  /**
   * Ends everything at once: requests are aborted, what waits is forgotten, and nothing is told of it any more, not even
   * answers that are in. For a process that may not go on.
   */
  abort(): void {
    this.#kept = [];
    this.#close();
    for (const lane of this.#lanes.all())
      for (const stream of lane.streams.values()) {
        for (const pending of stream.clear()) this.#ledger.forget(pending);
        const { head } = stream;
        if (head === undefined) continue;
        stream.shift();
        this.#ledger.forget(head);
      }
    this.#lanes.clear();
    this.#enough?.();
  }

  #close(): void {
    this.#state = 'aborted';
    this.#origins.close();
    for (const lane of this.#lanes.all()) lane.close();
  }

  /** Resolves when all lanes are as wanted, after `ms`, or when `hurry` aborts. */
  async #until(wanted: (lane: Lane) => boolean, ms: number, hurry?: AbortSignal): Promise<void> {
    const others = new Set([...this.#lanes.all()].filter((lane) => !wanted(lane)));
    if (others.size === 0 || hurry?.aborted === true) return;
    const enough = new AbortController();
    const end = (this.#enough = (): void => {
      enough.abort();
    });
    this.#lanes.onPumped = (lane) => {
      if (wanted(lane)) others.delete(lane);
      else others.add(lane);
      if (others.size === 0) end();
    };
    hurry?.addEventListener('abort', end, { once: true });
    await sleep(this.#clock, ms, enough.signal);
    hurry?.removeEventListener('abort', end);
    this.#lanes.onPumped = undefined;
  }

  /** One stream's turn: one attempt for its head, and what comes of it. Never rejects. */
  async #turn(lane: Lane, stream: Stream): Promise<void> {
    const { head } = stream;
    if (head === undefined) return;
    try {
      await this.#turns.take(lane, stream, head, (result) => {
        this.#follow(lane, stream, head, result);
      });
    } catch (error) {
      this.#ledger.fault(error);
      this.#finish(lane, stream, head, INTERNAL);
    }
  }

  #follow(lane: Lane, stream: Stream, head: Pending, result: Result): void {
    if (result.kind === 'ended') this.#finish(lane, stream, head, result.end);
    else if (this.#state === 'aborted') {
      const arrived = result.kind === 'tried' && result.outcome.kind === 'delivered';
      this.#finish(lane, stream, head, arrived ? { result: 'delivered' } : SHUTDOWN);
    } else if (result.kind === 'called-off') lane.queue(stream, true);
    else this.#aftermath.follow(lane, stream, head, result);
  }

  /** It has waited for too long; one that is being sent is asked again before its next request. */
  #expire(pending: Pending): void {
    const lane = this.#lanes.withdraw(pending, (stream) => stream.expire(pending));
    if (lane !== undefined) this.#ledger.settle(pending, expired(lane, pending));
  }

  /** The head has ended; its stream goes on with the next, or is no more. */
  #finish(lane: Lane, stream: Stream, head: Pending, end: End): void {
    if (stream.head !== head) return; // A stop was quicker.
    stream.shift();
    stream.state = 'idle';
    lane.tidy(stream);
    this.#settle(head, end);
  }

  #settle(pending: Pending, end: End): void {
    if (end !== SHUTDOWN || this.#kept === undefined) {
      this.#ledger.settle(pending, end);
      return;
    }
    this.#ledger.forget(pending);
    this.#kept.push(pending);
  }
}
