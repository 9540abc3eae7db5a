import type { Clock } from '../clock.ts';
import type { TemplateSource } from '../render/template.ts';
import { deliveryId } from '../lifecycle/ids.ts';
import type { PlanView } from '../resources/plan-view.ts';
import type { Notice } from '../sinks/notice.ts';
import type { Outcome } from '../sinks/outcome.ts';
import type { Permits, Rate } from '../sinks/rate.ts';
import type { ReadySink } from '../sinks/sink.ts';
import type { Ages } from './ages.ts';
import type { Delivery, Destination } from './delivery.ts';
import type { DispatchListener } from './listener.ts';
import { expired, SHUTDOWN, UNSUBSCRIBED, type End } from './reasons.ts';
import { RequestPermit } from './request-permit.ts';
import type { RequestSlots } from './request-slots.ts';
import type { SinkQueue } from './sink-queue.ts';
import type { Stream } from './stream.ts';
import { reasonOf } from './waiting.ts';

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
  readonly permits: Permits;
  readonly listener: DispatchListener;
  readonly ages: Ages;
  readonly slots: RequestSlots;
  /** An attempt waits for a slot for long. */
  readonly waitsLong: (queue: SinkQueue, stream: Stream, origin: string) => void;
}

type Ready = Extract<Resolution, { kind: 'ready' }>;
type Prepared = Exclude<Resolution, { kind: 'unsubscribed' }> | End;

const SUPPRESSED: End = { result: 'suppressed' };

/** One attempt for the head of a stream. */
export class Attempts {
  readonly #options: AttemptsOptions;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  /** `follow` does what comes of it: the permit is given back only then, for the next one must see a pause. */
  async make(
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    follow: (result: Result) => void,
  ): Promise<void> {
    const { clock, permits, slots, waitsLong } = this.#options;
    const { pauses } = queue;
    begin(head, queue);
    const prepared = this.#prepare(queue, stream, head, false);
    const next = prepared instanceof Promise ? await prepared : prepared;
    if ('result' in next) {
      follow({ kind: 'ended', end: next });
      return;
    }
    if (next.kind === 'unready') {
      follow({ kind: 'tried', outcome: next.outcome, pauses, rates: [] });
      return;
    }
    const { origin, rates } = next.sink;
    const permit = new RequestPermit({
      clock,
      slots,
      origin,
      queue,
      stream,
      granted: () => head.requests++,
      waitsLong: () => {
        waitsLong(queue, stream, origin);
      },
    });
    try {
      const outcome = await this.#request(queue, head, next, permit);
      if (permit.grantedAt === undefined) permits.giveBack(rates);
      follow(permit.refused ? { kind: 'called-off' } : { kind: 'tried', outcome, pauses, rates });
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
    const { rates } = resolution.sink;
    if (resolution.sink.suppresses(head.event)) return SUPPRESSED;
    if (paid || rates.length === 0) return resolution;
    const permit = this.#options.permits.take(rates, { owner: queue.namespace, signal: queue.signal });
    if (typeof permit === 'boolean') return permit ? resolution : SHUTDOWN;
    return permit.then((taken) => (taken ? this.#prepare(queue, stream, head, true) : SHUTDOWN));
  }

  async #request(queue: SinkQueue, head: Delivery, ready: Ready, permit: RequestPermit): Promise<Outcome> {
    const { clock, listener } = this.#options;
    const { namespace, notification, sink: sinkName } = head.to;
    const { event, progress } = head;
    const { sink, plan, template } = ready;
    const notice = (told: Notice): void => {
      head.noticed = true;
      listener.noticed(head, told);
    };
    const id = deliveryId(event.id, namespace, notification, sinkName);
    const delivery = { id, event, sinkName, plan, template, progress };
    const outcome = await sink.deliver(delivery, {
      signal: queue.signal,
      slot: () => permit.take(),
      notice,
    });
    if (permit.grantedAt === undefined) return outcome;
    if (outcome.kind === 'delivered' && ready.notice !== undefined) notice(ready.notice);
    listener.attempted(head, outcome, clock.monotonic() - permit.grantedAt);
    return outcome;
  }
}

/** A send begins with the first attempt, and anew after the circuit of its sink was open. */
function begin(head: Delivery, queue: SinkQueue): void {
  if (head.breaks !== queue.breaks) head.attempts = 0;
  head.breaks = queue.breaks;
  if (head.attempts === 0) head.arrivedBefore = queue.arrived;
}
