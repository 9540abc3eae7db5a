import { sleep, type Clock } from '../clock.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import type { RateLimits } from '../sinks/rate.ts';
import { Ages } from './ages.ts';
import { Attempts, type AttemptsOptions, type Result } from './attempt.ts';
import { Backlog } from './backlog.ts';
import type { Why } from './circuit-breaker.ts';
import type { Delivery, LivePlan, Stall } from './delivery.ts';
import { LIMITS, type Limits } from './limits.ts';
import { isolated, type DispatchListener } from './listener.ts';
import { OutcomeHandler } from './outcome-handler.ts';
import type { Acceptance, LogEntry, Routed } from './log-entry.ts';
import type { PlanLog } from './plan-log.ts';
import { DROP_REASONS, expired, INTERNAL, OVERFLOW, SHUTDOWN, UNSUBSCRIBED, type End } from './reasons.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { RequestSlots } from './request-slots.ts';
import type { SinkQueue } from './sink-queue.ts';
import { SinkQueues } from './sink-queues.ts';
import { Slices } from './slices.ts';
import type { Stream } from './stream.ts';
import { reasonOf, Stalls } from './stalls.ts';

export type { Resolution } from './attempt.ts';

export interface DispatcherOptions {
  readonly clock: Clock;
  /** Reads the sink's present configuration; must not reject. Synchronous when everything is at hand. */
  readonly resolve: AttemptsOptions['resolve'];
  readonly listener: DispatchListener;
  /** The rate limits of sinks. */
  readonly rateLimits: RateLimits & Pick<RateLimiter, 'perSecondOf'>;
  /** Why attempts of a namespace wait before they come to a request. Default: that is not known. */
  readonly blocked?: (namespace: string) => Why | undefined;
  /**
   * Resolves when all that has ended of a plan is kept, or cannot be; undefined: it is. Must not reject. Default: nothing is kept beyond
   * the process.
   */
  readonly kept?: (planUid: string) => Promise<void> | undefined;
  readonly limits?: Partial<Limits>;
}

export interface DispatchStats {
  readonly deliveries: number;
  readonly bytes: number;
  readonly streams: number;
  /** Requests without an answer yet. */
  readonly inFlight: number;
}

/** Sinks of which something waits. */
export interface Waiting {
  readonly deliveries: number;
  /** Those of which most waits, and why… */
  readonly first: readonly { readonly to: SinkAddress; readonly stall: Stall }[];
  /** …and how many there are besides. */
  readonly more: number;
}

/** So many of them are named. */
const NAMED = 5;

/** How long aborted requests may take to end, in milliseconds. */
const ABORT_MS = 1_000;

/** Streams that are woken in one turn of the event loop: a plan may have thousands of sinks. */
const WAKES = 256;

/**
 * Sends what the logs of plans hold: streams in order, each independent of the others, everything bounded and shared fairly between
 * namespaces. What it holds is in memory alone.
 */
export class Dispatcher {
  readonly #clock: Clock;
  readonly #backlog: Backlog;
  readonly #queues: SinkQueues;
  readonly #ages: Ages;
  readonly #slices: Slices;
  readonly #listener: DispatchListener;
  readonly #attempts: Attempts;
  readonly #outcomes: OutcomeHandler;
  readonly #slots: RequestSlots;
  readonly #kept: DispatcherOptions['kept'];
  readonly #stalls: Stalls;
  /** Whether nothing more is sent. */
  #closed = false;
  /** Ends the wait of a drain. */
  #enough: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    const { clock, resolve, rateLimits } = options;
    const limits = { ...LIMITS, ...options.limits };
    this.#clock = clock;
    this.#kept = options.kept;
    const listener = (this.#listener = isolated(options.listener));
    const slices = (this.#slices = new Slices(clock));
    const slots = (this.#slots = new RequestSlots(limits.requestsPerOrigin, limits.requests));
    const backlog = (this.#backlog = new Backlog({
      limits,
      slices,
      dropped: (stream, gone) => {
        this.#drop(stream, gone, OVERFLOW);
      },
    }));
    const queues = (this.#queues = new SinkQueues(clock, limits.requestsPerSink, (queue, stream) =>
      this.#attempt(queue, stream),
    ));
    const ages = (this.#ages = new Ages({
      clock,
      limits,
      slices,
      logs: () => backlog.logs(),
      expire: (log, isOver) => {
        this.#expire(log, isOver);
      },
    }));
    this.#attempts = new Attempts({
      ...{ clock, resolve, rateLimits, listener, ages, slots },
      resume: (queue, run) => {
        queues.resume(queue, run);
      },
      follow: (queue, stream, head, result) => {
        this.#follow(queue, stream, head, result);
      },
    });
    this.#outcomes = new OutcomeHandler({
      ...{ clock, limits, rateLimits, listener, queues },
      finish: (queue, stream, head, end) => {
        this.#finish(queue, stream, head, end);
      },
    });
    this.#stalls = new Stalls({
      ...{ clock, slices, slots },
      queues: () => queues.all(),
      perSecondOf: (rates, owner) => rateLimits.perSecondOf(rates, owner),
      blocked: (namespace) => options.blocked?.(namespace),
      waits: (to, stall, begun) => {
        listener.waits(to, stall, begun);
      },
      flows: (to) => {
        listener.flows(to);
      },
    });
  }

  /** The log of a plan, empty: what is appended to it by `append` is sent once it is released. */
  open(plan: LivePlan): PlanLog {
    return this.#backlog.open(plan);
  }

  /**
   * Puts events into the log of their plan. Synchronous, bounded, no I/O: the work grows with events and sinks, not with their
   * product. What has to go for them is told to the listener as dropped.
   */
  append(log: PlanLog, routed: readonly Routed[], by: Acceptance): void {
    if (log.append(routed, by) === 0) return;
    if (!this.#closed) {
      this.#ages.enter(by.since);
      this.#stalls.enter();
    }
    this.#backlog.bound(log);
  }

  /** What was appended up to this place may be sent. */
  release(log: PlanLog, upTo: number): void {
    const streams = log.release(upTo);
    if (this.#closed) return;
    if (streams.length > WAKES) this.#slices.run(this.#wakeAll(streams));
    else for (const stream of streams) this.#queues.wake(stream);
  }

  /** The log cannot be kept, being too large: half of its longest streams is dropped. False: nothing could be. */
  shed(log: PlanLog): boolean {
    return this.#backlog.shed(log);
  }

  /** A sink is gone: what waits for it is dropped at once, even in a pause. What is in flight ends as it ends. */
  unsubscribe(to: SinkAddress): void {
    const queue = this.#queues.find(to);
    if (queue === undefined) return;
    queue.forget();
    for (const stream of [...queue.streams.values()]) {
      const inFlight = stream.state === 'busy' ? stream.head?.entry : undefined;
      this.#drop(
        stream,
        stream.remove((entry) => entry !== inFlight),
        UNSUBSCRIBED,
      );
    }
    this.#queues.schedule(queue);
  }

  /** A sink's configuration is another one: what waits because of the old one is tried at once. */
  renewed(to: SinkAddress): void {
    const queue = this.#queues.find(to);
    queue?.renew(() => {
      this.#queues.schedule(queue);
    });
  }

  /** Why something of a sink waits, and until when; undefined: nothing does, or not for long. */
  stall(to: SinkAddress): Stall | undefined {
    const queue = this.#queues.find(to);
    return queue && this.#stalls.of(queue);
  }

  /** The sinks that wait for longer than a moment. */
  stalls(): ReturnType<Stalls['all']> {
    return this.#stalls.all();
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
   * Goes on sending for at most `ms`, or until nothing more can be sent by then (what is parked or held
   * is not waited for), or `hurry` aborts; then aborts what is in flight. What is left stays in the logs: see `dropRest`. `told`, if
   * there are some: the sinks that it waits for, and at its end those of which something is left.
   */
  async drain(
    ms: number,
    hurry?: AbortSignal,
    told: { readonly waits?: (sinks: Waiting) => void; readonly left?: (sinks: Waiting) => void } = {},
  ): Promise<void> {
    const deadline = this.#clock.monotonic() + ms;
    this.#waiting((queue) => !queue.restsUntil(deadline), told.waits);
    await this.#until((queue) => queue.restsUntil(deadline), ms, hurry);
    this.#waiting(() => true, told.left);
    this.#close();
    // What is in flight ends by the abort; an answer that is in already still counts.
    await this.#until((queue) => queue.inFlight === 0, ABORT_MS);
  }

  /** After a drain: drops as `shutdown` what is left and not `kept` for the next process. Returns how many, by plan. */
  dropRest(isKept: (log: PlanLog, entry: LogEntry) => boolean = () => false): ReadonlyMap<PlanLog, number> {
    const dropped = new Map<PlanLog, number>();
    for (const log of [...this.#backlog.logs()])
      for (const stream of [...log.streams.values()]) {
        const gone = stream.remove((entry) => !isKept(log, entry));
        stream.close();
        if (gone.length > 0) dropped.set(log, (dropped.get(log) ?? 0) + gone.length);
        this.#tell(stream, gone, SHUTDOWN);
      }
    this.#queues.clear();
    this.#ages.rest();
    return dropped;
  }

  /**
   * Ends everything at once: requests are aborted, and nothing is told of what waits any more, not even answers that are in. For a
   * process that may not go on.
   */
  abort(): void {
    this.#close();
    for (const queue of this.#queues.all())
      for (const stream of queue.streams.values()) {
        stream.close();
        stream.head = undefined;
      }
    this.#queues.clear();
    this.#ages.rest();
    this.#enough?.();
  }

  #close(): void {
    this.#closed = true;
    this.#stalls.close();
    this.#slots.close();
    for (const queue of this.#queues.all()) queue.close();
  }

  *#wakeAll(streams: Iterable<Stream>): Generator<undefined, void> {
    let woken = 0;
    for (const stream of streams) {
      this.#queues.wake(stream);
      if (++woken % WAKES === 0) yield;
    }
  }

  /** Tells of the sinks of which something waits, those of which most does first. */
  #waiting(of: (queue: SinkQueue) => boolean, told?: (sinks: Waiting) => void): void {
    const queues = [...this.#queues.all()]
      .map((queue) => ({ queue, waiting: queue.waiting }))
      .filter(({ queue, waiting }) => waiting > 0 && of(queue))
      .sort((a, b) => b.waiting - a.waiting);
    const first = queues.slice(0, NAMED).flatMap(({ queue }) => {
      const [stream] = queue.streams.values();
      const stall = this.#stalls.of(queue, true);
      return stream === undefined || stall === undefined ? [] : [{ to: stream.to, stall }];
    });
    const deliveries = queues.reduce((sum, { waiting }) => sum + waiting, 0);
    if (first.length > 0) told?.({ deliveries, first, more: queues.length - first.length });
  }

  /** Resolves when all queues are as wanted, after `ms`, or when `hurry` aborts. */
  async #until(wanted: (queue: SinkQueue) => boolean, ms: number, hurry?: AbortSignal): Promise<void> {
    const others = new Set([...this.#queues.all()].filter((queue) => !wanted(queue)));
    if (others.size === 0 || hurry?.aborted === true) return;
    const enough = new AbortController();
    const end = (this.#enough = (): void => {
      enough.abort();
    });
    this.#queues.onPumped = (queue) => {
      if (wanted(queue)) others.delete(queue);
      else others.add(queue);
      if (others.size === 0) end();
    };
    hurry?.addEventListener('abort', end, { once: true });
    await sleep(this.#clock, ms, enough.signal);
    hurry?.removeEventListener('abort', end);
    this.#queues.onPumped = undefined;
  }

  /** One attempt for the head of a stream, and what comes of it. Never rejects. */
  async #attempt(queue: SinkQueue, stream: Stream): Promise<void> {
    const head = stream.begin();
    if (head === undefined) return;
    try {
      await this.#attempts.make(queue, stream, head);
    } catch (error) {
      this.#listener.fault(error);
      this.#finish(queue, stream, head, INTERNAL);
    }
  }

  #follow(queue: SinkQueue, stream: Stream, head: Delivery, result: Result): void {
    if (this.#closed) {
      // What has not arrived is left where it waits.
      if (result.kind === 'tried' && result.outcome.kind === 'delivered')
        this.#finish(queue, stream, head, { result: 'delivered' });
      else stream.state = 'idle';
    } else if (result.kind === 'ended') this.#finish(queue, stream, head, result.end);
    else if (result.kind === 'called-off') queue.queue(stream, true);
    else this.#outcomes.follow(queue, stream, head, result);
  }

  /** What has waited for too long goes; what is being sent is asked again before its next request. */
  #expire(log: PlanLog, isOver: (entry: LogEntry) => boolean): void {
    for (const stream of [...log.streams.values()]) {
      if (stream.waiting === 0) continue;
      const why = reasonOf(this.#queues.find(stream.to), stream);
      const inFlight = stream.state === 'busy' ? stream.head?.entry : undefined;
      const gone = stream.remove((entry) => entry !== inFlight && isOver(entry));
      for (const kind of new Set(gone.map((entry) => entry.kind)))
        this.#drop(
          stream,
          gone.filter((entry) => entry.kind === kind),
          expired({ kind }, why),
        );
    }
  }

  /** The head has ended; its stream goes on with the next, or is no more. */
  #finish(queue: SinkQueue, stream: Stream, head: Delivery, end: End): void {
    if (stream.head !== head) return; // A stop was quicker.
    stream.finish();
    stream.state = 'idle';
    this.#tell(stream, [head.entry], end, head);
    queue.tidy(stream);
  }

  #drop(stream: Stream, gone: readonly LogEntry[], end: End): void {
    this.#tell(stream, gone, end);
    this.#queues.wake(stream);
  }

  /** What did not arrive is to be kept before the stream goes on: after a kill it would come once more, behind what followed it. */
  #keep(stream: Stream): void {
    const keeping = this.#kept?.(stream.planUid);
    if (keeping === undefined) return;
    stream.unkept++;
    void keeping.then(() => {
      stream.unkept--;
      if (!this.#closed) this.#queues.wake(stream);
    });
  }

  /** Tells how these ended; `tried`, where it was the head, with what is known of its attempts. */
  #tell(stream: Stream, events: readonly LogEntry[], end: End, tried?: Delivery): void {
    const [first] = events;
    const last = events.at(-1);
    if (first === undefined || last === undefined) return;
    if (this.#backlog.deliveries === 0) {
      this.#ages.rest();
      this.#stalls.rest();
    }
    const { to, sinkType, log } = stream;
    this.#listener.settled({
      to,
      sinkType,
      plan: log.plan,
      result: end.result,
      reason: 'reason' in end ? end.reason : '',
      message: messageOf(end),
      events,
      event: last,
      noticed: tried?.noticed ?? false,
      requests: tried?.requests ?? 0,
      latencyMs: this.#clock.monotonic() - first.since,
    });
    if (end.result === 'failed' || end.result === 'dropped') this.#keep(stream);
  }
}

function messageOf(end: End): string {
  if (end.result === 'failed') return end.message;
  return end.result === 'dropped' ? (end.message ?? DROP_REASONS[end.reason]) : '';
}
