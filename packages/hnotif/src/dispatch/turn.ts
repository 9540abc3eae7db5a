import type { Clock } from '../clock.ts';
import type { TemplateSource } from '../render/template.ts';
import { deliveryId } from '../lifecycle/ids.ts';
import type { PlanView } from '../resources/plan-view.ts';
import type { Notice } from '../sinks/notice.ts';
import type { Outcome } from '../sinks/outcome.ts';
import type { Permits, Rate } from '../sinks/rate.ts';
import type { ReadySink } from '../sinks/sink.ts';
import type { Ages } from './ages.ts';
import type { Pending, Submission } from './delivery.ts';
import { expired } from './expiry.ts';
import type { Lane } from './lane.ts';
import type { End, Ledger } from './ledger.ts';
import { SHUTDOWN, UNSUBSCRIBED } from './reasons.ts';
import { Slot } from './slot.ts';
import type { Slots } from './slots.ts';
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

/** What came of a turn. */
export type Result =
  /** Nothing more is to be sent. */
  | { readonly kind: 'ended'; readonly end: End }
  /** It was not to be sent now. */
  | { readonly kind: 'called-off' }
  /** An attempt that began after `pauses` pauses of its lane, with tokens of these buckets. */
  | {
      readonly kind: 'tried';
      readonly outcome: Outcome;
      readonly pauses: number;
      readonly rates: readonly Rate[];
    };

export interface TurnsOptions {
  readonly clock: Clock;
  readonly resolve: (submission: Submission) => Resolution | Promise<Resolution>;
  readonly permits: Permits;
  readonly ledger: Ledger;
  readonly ages: Ages;
  /** Slots by origin. */
  readonly origins: Slots;
}

type Ready = Extract<Resolution, { kind: 'ready' }>;
type Prepared = Exclude<Resolution, { kind: 'unsubscribed' }> | End;

const SUPPRESSED: End = { result: 'suppressed' };

/** A stream's turn: one attempt for its head. */
export class Turns {
  readonly #options: TurnsOptions;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** `follow` does what comes of it: the slot is given back only then, for the next one must see a pause. */
  async take(lane: Lane, stream: Stream, head: Pending, follow: (result: Result) => void): Promise<void> {
    const { clock, permits, origins } = this.#options;
    const { pauses } = lane;
    begin(head, lane);
    const prepared = this.#prepare(lane, head, false);
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
    const slot = new Slot(origins, origin, lane, stream, clock, () => head.requests++);
    try {
      const outcome = await this.#request(lane, head, next, slot);
      if (slot.takenAt === undefined) permits.giveBack(rates);
      follow(slot.refused ? { kind: 'called-off' } : { kind: 'tried', outcome, pauses, rates });
    } finally {
      slot.release();
    }
  }

  /**
   * The sink to which the head may send one request, with the tokens for it taken; or why there is none, or nothing more
   * to send. After a wait for tokens everything is looked at anew. Synchronous when everything is at hand.
   */
  #prepare(lane: Lane, head: Pending, paid: boolean): Prepared | Promise<Prepared> {
    const { ages, resolve } = this.#options;
    if (ages.isOver(head)) return expired(lane, head);
    const resolution = resolve(head);
    return resolution instanceof Promise
      ? resolution.then((resolved) => this.#pay(lane, head, resolved, paid))
      : this.#pay(lane, head, resolution, paid);
  }

  #pay(lane: Lane, head: Pending, resolution: Resolution, paid: boolean): Prepared | Promise<Prepared> {
    if (resolution.kind === 'unsubscribed') return UNSUBSCRIBED;
    if (resolution.kind === 'unready') return resolution;
    const { rates } = resolution.sink;
    if (resolution.sink.suppresses(head.event)) return SUPPRESSED;
    if (paid || rates.length === 0) return resolution;
    const permit = this.#options.permits.take(rates, lane.signal);
    if (typeof permit === 'boolean') return permit ? resolution : SHUTDOWN;
    return permit.then((taken) => (taken ? this.#prepare(lane, head, true) : SHUTDOWN));
  }

  async #request(lane: Lane, head: Pending, ready: Ready, slot: Slot): Promise<Outcome> {
    const { clock, ledger } = this.#options;
    const { namespace, notification, sink: sinkName } = head.to;
    const { event, progress } = head;
    const { sink, plan, template } = ready;
    const notice = (told: Notice): void => {
      ledger.noticed(head, told);
    };
    const id = deliveryId(event.id, namespace, notification, sinkName);
    const delivery = { id, event, sinkName, plan, template, progress };
    const outcome = await sink.deliver(delivery, { signal: lane.signal, slot: () => slot.take(), notice });
    if (slot.takenAt === undefined) return outcome;
    if (outcome.kind === 'delivered' && ready.notice !== undefined) notice(ready.notice);
    ledger.attempted(head, outcome, clock.monotonic() - slot.takenAt);
    return outcome;
  }
}

/** A send begins with the first attempt, and anew after its sink was parked. */
function begin(head: Pending, lane: Lane): void {
  if (head.parks !== lane.parks) head.attempts = 0;
  head.parks = lane.parks;
  if (head.attempts === 0) head.arrivedBefore = lane.arrived;
}
