import type { Clock } from '../clock.ts';
import type { TemplateSource } from '../render/template.ts';
import { deliveryId } from '../lifecycle/ids.ts';
import type { PlanView } from '../resources/plan-view.ts';
import type { Degradation } from '../sinks/degradation.ts';
import type { Outcome } from '../sinks/outcome.ts';
import type { RateLimits, Rate } from '../sinks/rate.ts';
import type { ReadySink } from '../sinks/sink.ts';
import type { Expiry } from './expiry.ts';
import type { Delivery, Destination } from './delivery.ts';
import { report, type DispatchListener } from './listener.ts';
import { expired, SHUTDOWN, UNSUBSCRIBED, type End } from './reasons.ts';
import type { RequestSlots } from './request-slots.ts';
import type { SinkQueue } from './sink-queue.ts';
import type { Stream } from './stream.ts';
import { lastCauseOf } from './sink-waits.ts';

/** The sink and the plan of a delivery at the moment of sending. */
export type SinkResolution =
  | {
      readonly kind: 'ready';
      readonly sink: ReadySink;
      readonly plan: PlanView;
      readonly template: TemplateSource | undefined;
      /** A problem that should be reported when the message has arrived. */
      readonly degradation: Degradation | undefined;
    }
  /** The notification or the sink was deleted. */
  | { readonly kind: 'unsubscribed' }
  /** The notification sends nothing now. `sendsEndsInMs`: until it is checked again whether Success and Failure may be sent (milliseconds); undefined: they are dropped, too. */
  | { readonly kind: 'suspended'; readonly sendsEndsInMs?: number }
  /** Nothing can be sent now. This counts as an attempt with this outcome. */
  | { readonly kind: 'unready'; readonly outcome: Outcome };

/** The result of an attempt. */
export type Result =
  /** Send nothing more. */
  | { readonly kind: 'ended'; readonly end: End }
  /** The sink may not send now. */
  | { readonly kind: 'refused' }
  | Extract<SinkResolution, { kind: 'suspended' }>
  /** A request was made. `pauses`: the number of pauses of the queue when the attempt began; `configuration`: aborts when the one of that time has changed. `rates`: the buckets whose tokens it used. */
  | {
      readonly kind: 'tried';
      readonly outcome: Outcome;
      readonly pauses: number;
      readonly configuration: AbortSignal;
      readonly rates: readonly Rate[];
    };

export interface AttemptsOptions {
  readonly clock: Clock;
  readonly resolve: (
    destination: Destination & Pick<Delivery, 'event'>,
  ) => SinkResolution | Promise<SinkResolution>;
  readonly rateLimits: RateLimits;
  readonly listener: DispatchListener;
  readonly expiry: Expiry;
  readonly slots: RequestSlots;
  /** Calls `run` in the queue's turn. */
  readonly resume: (queue: SinkQueue, run: () => void) => void;
  /** Does what the result means. */
  readonly handle: (queue: SinkQueue, stream: Stream, head: Delivery, result: Result) => void;
}

/** The permit for one request. The sink takes it when its message is ready; it is given back when the result has been handled. */
class RequestPermit {
  readonly #options: Pick<AttemptsOptions, 'clock' | 'slots'>;
  readonly #queue: SinkQueue;
  readonly #stream: Stream;
  readonly #head: Delivery;
  readonly #origin: string;
  #refused = false;
  #grantedAt: number | undefined;
  #askedAt = 0;

  constructor(
    options: Pick<AttemptsOptions, 'clock' | 'slots'>,
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    origin: string,
  ) {
    this.#options = options;
    this.#queue = queue;
    this.#stream = stream;
    this.#head = head;
    this.#origin = origin;
  }

  /** When it was granted (monotonic milliseconds); undefined: nothing was sent. */
  get grantedAt(): number | undefined {
    return this.#grantedAt;
  }

  /** When the sink requested it, because its message was ready (monotonic milliseconds). */
  get askedAt(): number {
    return this.#askedAt;
  }

  /** Whether the sink must not send. */
  get refused(): boolean {
    return this.#refused;
  }

  /** False when the sink has been paused, its circuit has opened, or the dispatcher is closed. */
  take(): boolean | Promise<boolean> {
    if (this.#grantedAt !== undefined) return true;
    this.#askedAt = this.#options.clock.monotonic();
    const slot = this.#options.slots.acquire(this.#origin, this.#queue.namespace);
    if (!(slot instanceof Promise)) return this.#decide(slot);
    return this.#queue.forSlots.during(slot, this.#origin).then((held) => this.#decide(held));
  }

  release(): void {
    if (this.#grantedAt === undefined) return;
    this.#queue.requests--;
    this.#options.slots.release(this.#origin, this.#queue.namespace);
  }

  #decide(held: boolean): boolean {
    const { clock, slots } = this.#options;
    if (held && this.#queue.admits(this.#stream)) {
      this.#grantedAt = clock.monotonic();
      this.#queue.requests++;
      this.#head.requests++;
      return true;
    }
    if (held) slots.release(this.#origin, this.#queue.namespace);
    this.#refused = true;
    return false;
  }
}

type Prepared = Exclude<SinkResolution, { kind: 'unsubscribed' }> | End;

const SUPPRESSED: End = { result: 'suppressed' };

/** Makes attempts for the heads of streams. */
export class Attempts {
  readonly #options: AttemptsOptions;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  /** Rejects on a fault of hnotif itself. */
  make(queue: SinkQueue, stream: Stream, head: Delivery): Promise<void> {
    const { pauses, configuration } = queue;
    const began = { pauses, configuration };
    begin(head, queue);
    const prepared = this.#prepare(queue, stream, head, false);
    if (!(prepared instanceof Promise)) return this.#send(queue, stream, head, prepared, began);
    // Thousands of attempts may have waited for the same secret. They continue in turns.
    return prepared.then(
      (next) =>
        new Promise((resolve) => {
          this.#options.resume(queue, () => {
            resolve(this.#send(queue, stream, head, next, began));
          });
        }),
    );
  }

  async #send(
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    next: Prepared,
    began: Pick<Extract<Result, { kind: 'tried' }>, 'pauses' | 'configuration'>,
  ): Promise<void> {
    const { clock, rateLimits, listener, handle } = this.#options;
    if ('result' in next) {
      handle(queue, stream, head, { kind: 'ended', end: next });
      return;
    }
    if (next.kind === 'suspended') {
      handle(queue, stream, head, next);
      return;
    }
    if (next.kind === 'unready') {
      handle(queue, stream, head, { kind: 'tried', outcome: next.outcome, ...began, rates: [] });
      return;
    }
    const { sink, plan, template } = next;
    const { rates } = sink;
    const { event, progress } = head;
    const { namespace, notification, sink: sinkName } = head.to;
    const permit = new RequestPermit(this.#options, queue, stream, head, sink.origin);
    const degraded = (degradation: Degradation): void => {
      head.isDegraded = true;
      report(listener, 'degraded', head, degradation);
    };
    const beganAt = clock.monotonic();
    const id = deliveryId(event.id, namespace, notification, sinkName);
    try {
      const outcome = await sink.deliver(
        { id, event, sinkName, plan, template, progress },
        { signal: queue.signal, slot: () => permit.take(), degraded },
      );
      const { grantedAt } = permit;
      if (grantedAt === undefined) rateLimits.giveBack(rates);
      else {
        if (outcome.kind === 'delivered' && next.degradation !== undefined) degraded(next.degradation);
        const times = { began: beganAt, ready: permit.askedAt, sent: grantedAt, ended: clock.monotonic() };
        report(listener, 'attempted', head, outcome, { ...times, entry: head.entry });
      }
      // The permit is given back after this: the next attempt must see a pause.
      handle(
        queue,
        stream,
        head,
        permit.refused ? { kind: 'refused' } : { kind: 'tried', outcome, ...began, rates },
      );
    } finally {
      permit.release();
    }
  }

  /**
   * Resolves the sink and takes the tokens for one request. After a wait for tokens it starts again. Synchronous when there is
   * nothing to wait for. `hasTokens`: the tokens have been taken.
   */
  #prepare(
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    hasTokens: boolean,
  ): Prepared | Promise<Prepared> {
    const { expiry, resolve } = this.#options;
    if (expiry.isExpired(head.entry)) return expired(head.event, lastCauseOf(queue, stream));
    const resolution = resolve(head);
    return resolution instanceof Promise
      ? resolution.then((resolved) => this.#takeTokens(queue, stream, head, resolved, hasTokens))
      : this.#takeTokens(queue, stream, head, resolution, hasTokens);
  }

  #takeTokens(
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    resolution: SinkResolution,
    hasTokens: boolean,
  ): Prepared | Promise<Prepared> {
    if (resolution.kind === 'unsubscribed') return UNSUBSCRIBED;
    if (resolution.kind === 'suspended' || resolution.kind === 'unready') return resolution;
    const { sink } = resolution;
    const { rates } = sink;
    queue.coalesces = sink.coalescesProgress === true;
    if (sink.suppresses(head.event) || isSuperseded(sink, stream, head)) {
      if (hasTokens) this.#options.rateLimits.giveBack(rates);
      return SUPPRESSED;
    }
    if (hasTokens || rates.length === 0) return resolution;
    const permit = this.#options.rateLimits.take(rates, {
      owner: queue.namespace,
      signal: queue.configuration,
    });
    if (permit === true) return resolution;
    return queue.forTokens.during(Promise.resolve(permit), sink).then((taken) => {
      // A wait that ended without tokens means that the configuration has changed, or that the sink is closed.
      if (!taken && queue.signal.aborted) return SHUTDOWN;
      return this.#prepare(queue, stream, head, taken);
    });
  }
}

/** Whether the sink wants only the newest progress of a target, and newer progress waits. False for a delivery that has made a request: it is finished. */
const isSuperseded = (sink: ReadySink, stream: Stream, head: Delivery): boolean =>
  sink.coalescesProgress === true && head.requests === 0 && stream.log.isSuperseded(head.entry, stream);

/** Starts a send at its first attempt. */
function begin(head: Delivery, queue: SinkQueue): void {
  if (head.attempts === 0) head.arrivedBefore = queue.arrived;
}
