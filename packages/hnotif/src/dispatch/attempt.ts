import type { Clock } from '../clock.ts';
import type { TemplateSource } from '../render/template.ts';
import { deliveryId } from '../lifecycle/ids.ts';
import type { PlanView } from '../resources/plan-view.ts';
import type { Degradation } from '../sinks/degradation.ts';
import type { Outcome } from '../sinks/outcome.ts';
import type { RateLimits, Rate } from '../sinks/rate.ts';
import type { ReadySink } from '../sinks/sink.ts';
import type { Ages } from './ages.ts';
import type { Delivery, Destination } from './delivery.ts';
import type { DispatchListener } from './listener.ts';
import { expired, SHUTDOWN, UNSUBSCRIBED, type End } from './reasons.ts';
import { RequestPermit } from './request-permit.ts';
import type { RequestSlots } from './request-slots.ts';
import type { SinkQueue } from './sink-queue.ts';
import type { Stream } from './stream.ts';
import { reasonOf } from './stalls.ts';

/** What a delivery's sink and plan are at the moment of sending. */
export type Resolution =
  | {
      readonly kind: 'ready';
      readonly sink: ReadySink;
      readonly plan: PlanView;
      readonly template: TemplateSource | undefined;
      /** What of the way there should be told. */
      readonly notice: Degradation | undefined;
    }
  /** The notification or the sink is gone. */
  | { readonly kind: 'unsubscribed' }
  /** It cannot be sent to just now: counts as an attempt with this outcome. */
  | { readonly kind: 'unready'; readonly outcome: Outcome };

/** What came of an attempt. */
export type Result =
  /** Nothing more is to be sent. */
  | { readonly kind: 'ended'; readonly end: End }
  /** It was not to be sent now. */
  | { readonly kind: 'called-off' }
  /** A request, made after `pauses` pauses of its sink, with tokens of these buckets. */
  | {
      readonly kind: 'tried';
      readonly outcome: Outcome;
      readonly pauses: number;
      readonly rates: readonly Rate[];
    };

export interface AttemptsOptions {
  readonly clock: Clock;
  readonly resolve: (destination: Destination & Pick<Delivery, 'event'>) => Resolution | Promise<Resolution>;
  readonly rateLimits: RateLimits;
  readonly listener: DispatchListener;
  readonly ages: Ages;
  readonly slots: RequestSlots;
  /** Calls `run` when it is the queue's turn. */
  readonly resume: (queue: SinkQueue, run: () => void) => void;
  /** Does what comes of an attempt. */
  readonly follow: (queue: SinkQueue, stream: Stream, head: Delivery, result: Result) => void;
}

type Prepared = Exclude<Resolution, { kind: 'unsubscribed' }> | End;

const SUPPRESSED: End = { result: 'suppressed' };

/** One attempt for the head of a stream. */
export class Attempts {
  readonly #options: AttemptsOptions;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  /** Rejects where something of our own has failed. */
  make(queue: SinkQueue, stream: Stream, head: Delivery): Promise<void> {
    const { pauses } = queue;
    begin(head, queue);
    const prepared = this.#prepare(queue, stream, head, false);
    if (!(prepared instanceof Promise)) return this.#send(queue, stream, head, prepared, pauses);
    // Thousands may have waited for the same secret: they go on in turns, as they began.
    return prepared.then(
      (next) =>
        new Promise((resolve) => {
          this.#options.resume(queue, () => {
            resolve(this.#send(queue, stream, head, next, pauses));
          });
        }),
    );
  }

  async #send(
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    next: Prepared,
    pauses: number,
  ): Promise<void> {
    const { clock, rateLimits, listener, follow } = this.#options;
    if ('result' in next) {
      follow(queue, stream, head, { kind: 'ended', end: next });
      return;
    }
    if (next.kind === 'unready') {
      follow(queue, stream, head, { kind: 'tried', outcome: next.outcome, pauses, rates: [] });
      return;
    }
    const { sink, plan, template } = next;
    const { rates } = sink;
    const { event, progress } = head;
    const { namespace, notification, sink: sinkName } = head.to;
    const permit = new RequestPermit(this.#options, queue, stream, head, sink.origin);
    const notice = (told: Degradation): void => {
      head.noticed = true;
      listener.noticed(head, told);
    };
    const id = deliveryId(event.id, namespace, notification, sinkName);
    try {
      const outcome = await sink.deliver(
        { id, event, sinkName, plan, template, progress },
        { signal: queue.signal, slot: () => permit.take(), degraded: notice },
      );
      const { grantedAt } = permit;
      if (grantedAt === undefined) rateLimits.giveBack(rates);
      else {
        if (outcome.kind === 'delivered' && next.notice !== undefined) notice(next.notice);
        listener.attempted(head, outcome, clock.monotonic() - grantedAt);
      }
      // The permit is given back only then: the next one must see a pause.
      follow(
        queue,
        stream,
        head,
        permit.refused ? { kind: 'called-off' } : { kind: 'tried', outcome, pauses, rates },
      );
    } finally {
      permit.release();
    }
  }

  /**
   * The sink to which the head may send one request, with the tokens for it taken; or why there is none, or nothing more
   * to send. After a wait for tokens everything is looked at anew. Synchronous when everything is at hand.
   */
  #prepare(queue: SinkQueue, stream: Stream, head: Delivery, paid: boolean): Prepared | Promise<Prepared> {
    const { ages, resolve } = this.#options;
    if (ages.isOver(head.entry)) return expired(head.event, reasonOf(queue, stream));
    const resolution = resolve(head);
    return resolution instanceof Promise
      ? resolution.then((resolved) => this.#pay(queue, stream, head, resolved, paid))
      : this.#pay(queue, stream, head, resolution, paid);
  }

  #pay(
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    resolution: Resolution,
    paid: boolean,
  ): Prepared | Promise<Prepared> {
    if (resolution.kind === 'unsubscribed') return UNSUBSCRIBED;
    if (resolution.kind === 'unready') return resolution;
    const { sink } = resolution;
    const { rates } = sink;
    queue.coalesces = sink.coalescesProgress === true;
    if (sink.suppresses(head.event) || isSuperseded(sink, stream, head)) {
      if (paid) this.#options.rateLimits.giveBack(rates);
      return SUPPRESSED;
    }
    if (paid || rates.length === 0) return resolution;
    const permit = this.#options.rateLimits.take(rates, {
      owner: queue.namespace,
      signal: queue.configuration,
    });
    if (permit === true) return resolution;
    return queue.forTokens.until(Promise.resolve(permit), sink).then((taken) => {
      // Where the wait has ended without tokens, and the sink has not, its configuration is another one.
      if (!taken && queue.signal.aborted) return SHUTDOWN;
      return this.#prepare(queue, stream, head, taken);
    });
  }
}

/** Whether the sink wants of a target's progress only the newest, and newer progress waits. What may have arrived is sent to its end. */
const isSuperseded = (sink: ReadySink, stream: Stream, head: Delivery): boolean =>
  sink.coalescesProgress === true && head.requests === 0 && stream.log.isSuperseded(head.entry, stream);

/** A send begins with the first attempt, and anew after the circuit of its sink was open. */
function begin(head: Delivery, queue: SinkQueue): void {
  if (head.breaks !== queue.breaks) head.attempts = 0;
  head.breaks = queue.breaks;
  if (head.attempts === 0) head.arrivedBefore = queue.arrived;
}
