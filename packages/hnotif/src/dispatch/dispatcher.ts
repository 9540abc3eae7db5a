import { sleep, type Clock } from '../clock.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import { inSlices } from '../slices.ts';
import type { RateLimits } from '../sinks/rate.ts';
import { SINKS } from '../sinks/registry.ts';
import { Expiry } from './expiry.ts';
import { Attempts, type AttemptsOptions, type Result } from './attempt.ts';
import { Backlog } from './backlog.ts';
import type { Cause } from './circuit-breaker.ts';
import type { Delivery, LivePlan, SinkWait } from './delivery.ts';
import { LIMITS, type Limits } from './limits.ts';
import { report, type DispatchListener } from './listener.ts';
import { OutcomeHandler } from './outcome-handler.ts';
import { isEnd, type Acceptance, type LogEntry, type Routed } from './log-entry.ts';
import type { PlanLog } from './plan-log.ts';
import { DROP_REASONS, expired, INTERNAL, SHUTDOWN, SUSPENDED, UNSUBSCRIBED, type End } from './reasons.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { RequestSlots } from './request-slots.ts';
import type { SinkQueue } from './sink-queue.ts';
import { SinkQueues } from './sink-queues.ts';
import { BUSY, IDLE, type Stream } from './stream.ts';
import { lastCauseOf, SinkWaits, TOLD_AFTER } from './sink-waits.ts';

export type { SinkResolution } from './attempt.ts';

export interface DispatcherOptions {
  readonly clock: Clock;
  /** Reads the present configuration of the sink. Must not reject. Synchronous when there is nothing to wait for. */
  readonly resolve: AttemptsOptions['resolve'];
  readonly listener: DispatchListener;
  /** The rate limits of sinks. */
  readonly rateLimits: RateLimits & Pick<RateLimiter, 'shareOf'>;
  /** Why attempts of a namespace wait before they make a request. Default: not known. */
  readonly blocked?: (namespace: string) => Cause | undefined;
  /**
   * Resolves when the outcomes of a plan are stored, or cannot be stored; undefined: they are stored. Must not reject. Default: nothing is
   * stored.
   */
  readonly persisted?: (planUid: string) => Promise<void> | undefined;
  readonly limits?: Partial<Limits>;
}

export interface DispatchStats {
  readonly deliveries: number;
  readonly bytes: number;
  readonly streams: number;
  /** Requests in flight. */
  readonly inFlight: number;
}

/** A sink whose deliveries wait, and why. */
export interface LeftSink {
  readonly to: SinkAddress;
  readonly wait: SinkWait;
}

interface WaitingSink extends LeftSink {
  readonly queue: SinkQueue;
  /** The number of its deliveries. */
  readonly waiting: number;
}

/** The sinks with deliveries that wait. */
export interface DrainReport {
  readonly deliveries: number;
  /** The sinks with the most deliveries… */
  readonly first: readonly LeftSink[];
  /** …and how many more sinks there are. */
  readonly more: number;
}

/** The most sinks that are named. */
const NAMED = 5;

/** A sink is slow if its oldest delivery of a plan has waited for this time (milliseconds). */
const SLOW_MS = 30_000;

/** How long aborted requests may take to end (milliseconds). */
const ABORT_MS = 1_000;

/** The most streams that are woken in one turn of the event loop. A plan may have thousands of sinks. */
const WAKES = 256;

/**
 * Sends the events in the logs of plans. Each stream is sent in order, independent of the others. Everything is bounded and shared
 * fairly between namespaces. It holds its state only in memory.
 */
export class Dispatcher {
  readonly #clock: Clock;
  readonly #backlog: Backlog;
  readonly #queues: SinkQueues;
  readonly #expiry: Expiry;
  readonly #listener: DispatchListener;
  readonly #attempts: Attempts;
  readonly #outcomes: OutcomeHandler;
  readonly #slots: RequestSlots;
  readonly #persisted: DispatcherOptions['persisted'];
  readonly #waits: SinkWaits;
  /** Whether it has stopped sending. */
  #closed = false;
  /** Ends the wait of `drain`. */
  #endWait: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    const { clock, resolve, rateLimits } = options;
    const limits = { ...LIMITS, ...options.limits };
    this.#clock = clock;
    this.#persisted = options.persisted;
    const listener = (this.#listener = options.listener);
    const slots = (this.#slots = new RequestSlots(limits.requestsPerOrigin, limits.requests));
    const backlog = (this.#backlog = new Backlog({
      clock,
      limits,
      isHindered: (stream) => stream.isHindered,
      isSwift: (stream) => this.#isSwift(stream),
      dropped: (stream, gone, end) => {
        this.#drop(stream, gone, end);
      },
    }));
    const queues = (this.#queues = new SinkQueues(clock, limits.requestsPerSink, (queue, stream) =>
      this.#attempt(queue, stream),
    ));
    const expiry = (this.#expiry = new Expiry({
      clock,
      limits,
      logs: () => backlog.logs(),
      expire: (log, isOver) => {
        this.#expire(log, isOver);
      },
    }));
    this.#attempts = new Attempts({
      ...{ clock, resolve, rateLimits, listener, expiry, slots },
      resume: (queue, run) => {
        queues.resume(queue, run);
      },
      handle: (queue, stream, head, result) => {
        this.#handle(queue, stream, head, result);
      },
    });
    this.#outcomes = new OutcomeHandler({
      ...{ clock, limits, rateLimits, listener },
      finish: (queue, stream, head, end) => {
        this.#finish(queue, stream, head, end);
      },
    });
    this.#waits = new SinkWaits({
      ...{ clock, slots },
      queues: () => queues.all(),
      shareOf: (rates, owner) => rateLimits.shareOf(rates, owner),
      blocked: (namespace) => options.blocked?.(namespace),
      listener,
    });
  }

  /** Whether the sink of a stream takes messages as fast as they come. */
  #isSwift(stream: Stream): boolean {
    if (SINKS[stream.sinkType].isRateLimited || stream.isHindered) return false;
    const { since = Infinity } = stream.log.first(stream) ?? {};
    return this.#clock.monotonic() - since < SLOW_MS;
  }

  /** A new log for a plan. Events that `append` adds to it are sent once they are released. */
  open(plan: LivePlan): PlanLog {
    return this.#backlog.open(plan);
  }

  /**
   * Appends events to the log of their plan. Synchronous, bounded, no I/O: the work grows with events plus sinks, not with their
   * product. Deliveries that are dropped for lack of space are reported to the listener.
   */
  append(log: PlanLog, routed: readonly Routed[], by: Acceptance): void {
    if (log.append(routed, by) === 0) return;
    if (!this.#closed) {
      this.#expiry.expect(by.since);
      this.#waits.start();
    }
    this.#backlog.enforceLimits(log);
  }

  /** Events up to this position may be sent. */
  release(log: PlanLog, upTo: number): void {
    const streams = log.release(upTo);
    if (this.#closed) return;
    if (streams.length > WAKES) void inSlices(this.#clock, this.#wakeAll(streams));
    else for (const stream of streams) this.#wake(stream);
  }

  /** For a log that is too large to be stored: drops half of its longest streams. False: nothing was dropped. */
  halveLongest(log: PlanLog): boolean {
    return this.#backlog.halveLongest(log);
  }

  /** A sink is deleted: drops its deliveries at once, even during a pause. Requests in flight are finished. */
  unsubscribe(to: SinkAddress): void {
    const queue = this.#queues.find(to);
    if (queue === undefined) return;
    queue.forget();
    for (const stream of [...queue.streams.values()]) {
      const inFlight = stream.state === BUSY ? stream.head?.entry : undefined;
      this.#drop(
        stream,
        stream.remove((entry) => entry !== inFlight),
        UNSUBSCRIBED,
      );
    }
    this.#queues.schedule(queue);
  }

  /** The configuration of a sink has changed: tries the deliveries that wait because of the old one. */
  configurationChanged(to: SinkAddress): void {
    const queue = this.#queues.find(to);
    queue?.configurationChanged();
  }

  /** Why deliveries of a sink wait, and until when; undefined: none waits for long. `isLate`: short waits count, too. */
  waitOf(to: SinkAddress, isLate = false): SinkWait | undefined {
    const queue = this.#queues.find(to);
    return queue && this.#waits.of(queue, isLate);
  }

  /** The sinks whose deliveries wait for longer than a moment. */
  waits(): ReturnType<SinkWaits['all']> {
    return this.#waits.all();
  }

  stats(): DispatchStats {
    const { deliveries, bytes } = this.#backlog;
    let streams = 0;
    let inFlight = 0;
    for (const queue of this.#queues.all()) {
      streams += queue.streams.size;
      inFlight += queue.requests;
    }
    return { deliveries, bytes, streams, inFlight };
  }

  /**
   * Continues to send for at most `ms`, until nothing more can be sent in that time (parked and held deliveries are not waited for), or
   * until `hurry` aborts. Then aborts the requests in flight. The rest stays in the logs: see `dropRest`. `report`: the sinks that it
   * waits for, and the sinks with deliveries that are left. Resolves with the latter.
   */
  async drain(
    ms: number,
    hurry?: AbortSignal,
    report: {
      readonly waits?: (sinks: DrainReport) => void;
      readonly left?: (sinks: DrainReport) => void;
    } = {},
  ): Promise<readonly LeftSink[]> {
    const deadline = this.#clock.monotonic() + ms;
    this.#report(
      this.#waiting((queue) => !queue.restsUntil(deadline)),
      report.waits,
    );
    await this.#until((queue) => queue.restsUntil(deadline), ms, hurry);
    // Counted before the requests in flight are aborted: an abort is not a reason for a wait.
    const left = this.#waiting(() => true);
    this.#report(left, report.left);
    this.#close();
    // An answer that has already come still counts.
    await this.#until((queue) => queue.inFlight === 0, ABORT_MS);
    return left.flatMap(({ queue, to, wait }) =>
      queue.waiting === 0 ? [] : [{ to, wait: { ...wait, waiting: queue.waiting } }],
    );
  }

  /** After a drain: drops the deliveries that are left and not stored for the next process, as `shutdown`. Returns their number. */
  dropRest(isStored: (log: PlanLog, entry: LogEntry) => boolean = () => false): number {
    let dropped = 0;
    for (const log of [...this.#backlog.logs()])
      for (const stream of [...log.streams.values()]) {
        const gone = stream.remove((entry) => !isStored(log, entry));
        stream.state = IDLE;
        dropped += gone.length;
        this.#settle(stream, gone, SHUTDOWN);
      }
    this.#queues.clear();
    this.#expiry.stop();
    return dropped;
  }

  /** Stops at once: aborts all requests and reports nothing more, not even answers that have come. For a process that must not continue. */
  abort(): void {
    this.#close();
    for (const queue of this.#queues.all())
      for (const stream of queue.streams.values()) {
        stream.state = IDLE;
        stream.head = undefined;
      }
    this.#queues.clear();
    this.#expiry.stop();
    this.#endWait?.();
  }

  #close(): void {
    this.#closed = true;
    this.#waits.close();
    this.#slots.close();
    for (const queue of this.#queues.all()) queue.close();
  }

  *#wakeAll(streams: Iterable<Stream>): Generator<undefined, void> {
    let woken = 0;
    for (const stream of streams) {
      this.#wake(stream);
      if (++woken % WAKES === 0) yield;
    }
  }

  /** A stream has new events. If its notification is suspended, they are dropped now, not when the suspension ends. */
  #wake(stream: Stream): void {
    const { state, queue } = stream;
    if (state.kind === 'held' && state.isSuspended) queue?.endHold(stream);
    else this.#queues.wake(stream);
  }

  /** Reports sinks with deliveries that wait. */
  #report(sinks: readonly WaitingSink[], reportTo?: (sinks: DrainReport) => void): void {
    const first = sinks.slice(0, NAMED);
    const deliveries = sinks.reduce((sum, { waiting }) => sum + waiting, 0);
    if (first.length > 0) reportTo?.({ deliveries, first, more: sinks.length - first.length });
  }

  /** The sinks whose deliveries wait, if only for a moment. Those with the most come first. */
  #waiting(of: (queue: SinkQueue) => boolean): readonly WaitingSink[] {
    return [...this.#queues.all()]
      .flatMap((queue) => {
        const { waiting } = queue;
        const [stream] = queue.streams.values();
        if (waiting === 0 || stream === undefined || !of(queue)) return [];
        const wait = this.#waits.of(queue, true);
        return wait === undefined ? [] : [{ queue, waiting, to: stream.to, wait }];
      })
      .sort((a, b) => b.waiting - a.waiting);
  }

  /** Resolves when `isDone` holds for all queues, after `ms`, or when `hurry` aborts. */
  async #until(isDone: (queue: SinkQueue) => boolean, ms: number, hurry?: AbortSignal): Promise<void> {
    const others = new Set([...this.#queues.all()].filter((queue) => !isDone(queue)));
    if (others.size === 0 || hurry?.aborted === true) return;
    const enough = new AbortController();
    const end = (this.#endWait = (): void => {
      enough.abort();
    });
    this.#queues.onPumped = (queue) => {
      if (isDone(queue)) others.delete(queue);
      else others.add(queue);
      if (others.size === 0) end();
    };
    hurry?.addEventListener('abort', end, { once: true });
    await sleep(this.#clock, ms, enough.signal);
    hurry?.removeEventListener('abort', end);
    this.#queues.onPumped = undefined;
  }

  /** Makes one attempt for the head of a stream and handles its result. Never rejects. */
  async #attempt(queue: SinkQueue, stream: Stream): Promise<void> {
    const head = stream.begin();
    if (head === undefined) return;
    try {
      await this.#attempts.make(queue, stream, head);
    } catch (error) {
      report(this.#listener, 'fault', error);
      this.#finish(queue, stream, head, INTERNAL);
    }
  }

  #handle(queue: SinkQueue, stream: Stream, head: Delivery, result: Result): void {
    if (this.#closed) {
      // A delivery that has not arrived stays in the log.
      if (result.kind === 'tried' && result.outcome.kind === 'delivered')
        this.#finish(queue, stream, head, { result: 'delivered' });
      else stream.state = IDLE;
    } else if (result.kind === 'ended') this.#finish(queue, stream, head, result.end);
    else if (result.kind === 'suspended') this.#suspend(queue, stream, head, result.sendsEndsInMs);
    else if (result.kind === 'refused') queue.queue(stream, true);
    else this.#outcomes.handle(queue, stream, head, result);
  }

  /** Drops deliveries that have waited too long. A delivery in flight is checked before its next request. */
  #expire(log: PlanLog, isOver: (entry: LogEntry) => boolean): void {
    for (const stream of [...log.streams.values()]) {
      if (stream.waiting === 0) continue;
      const why = lastCauseOf(this.#queues.find(stream.to), stream);
      const inFlight = stream.state === BUSY ? stream.head?.entry : undefined;
      const gone = stream.remove((entry) => entry !== inFlight && isOver(entry));
      for (const kind of new Set(gone.map((entry) => entry.kind)))
        this.#drop(
          stream,
          gone.filter((entry) => entry.kind === kind),
          expired({ kind }, why),
        );
    }
  }

  /** The head has ended. Its stream continues with the next delivery. */
  #finish(queue: SinkQueue, stream: Stream, head: Delivery, end: End): void {
    if (stream.head !== head) return; // It was dropped meanwhile.
    stream.finish();
    stream.state = IDLE;
    this.#settle(stream, [head.entry], end, head);
    queue.tidy(stream);
  }

  /**
   * Drops the deliveries that wait in a stream of a suspended notification, also its head. It drops them all at once: this takes one
   * write of the journal, not one for each delivery. With `sendsEndsInMs`, the ends of runs wait until the suspension is over.
   */
  #suspend(queue: SinkQueue, stream: Stream, head: Delivery, sendsEndsInMs: number | undefined): void {
    if (stream.head !== head) return; // It was dropped meanwhile.
    stream.state = IDLE;
    this.#settle(
      stream,
      stream.remove((entry) => sendsEndsInMs === undefined || !isEnd(entry)),
      SUSPENDED,
    );
    if (stream.waiting === 0 || sendsEndsInMs === undefined) {
      queue.tidy(stream);
      return;
    }
    queue.blocked = TOLD_AFTER;
    queue.hold(stream, sendsEndsInMs, undefined, true);
  }

  #drop(stream: Stream, gone: readonly LogEntry[], end: End): void {
    this.#settle(stream, gone, end);
    this.#queues.wake(stream);
  }

  /** A failure is stored before the stream continues. Otherwise a restart would send it again, after later deliveries. */
  #waitUntilPersisted(stream: Stream): void {
    const keeping = this.#persisted?.(stream.planUid);
    if (keeping === undefined) return;
    stream.unpersisted++;
    void keeping.then(() => {
      stream.unpersisted--;
      if (!this.#closed) this.#queues.wake(stream);
    });
  }

  /** Reports how these deliveries ended. `tried`: the head, if it was sent. */
  #settle(stream: Stream, events: readonly LogEntry[], end: End, tried?: Delivery): void {
    const [first] = events;
    const last = events.at(-1);
    if (first === undefined || last === undefined) return;
    if (this.#backlog.deliveries === 0) {
      this.#expiry.stop();
      this.#waits.stop();
    }
    const { to, sinkType, log } = stream;
    report(this.#listener, 'settled', {
      to,
      sinkType,
      plan: log.plan,
      result: end.result,
      reason: 'reason' in end ? end.reason : '',
      message: messageOf(end),
      events,
      event: last,
      isDegraded: tried?.isDegraded ?? false,
      requests: tried?.requests ?? 0,
      delayMs: this.#clock.monotonic() - first.since,
    });
    if (end.result === 'failed' || end.result === 'dropped') this.#waitUntilPersisted(stream);
  }
}

function messageOf(end: End): string {
  if (end.result === 'failed') return end.message;
  return end.result === 'dropped' ? (end.message ?? DROP_REASONS[end.reason]) : '';
}
