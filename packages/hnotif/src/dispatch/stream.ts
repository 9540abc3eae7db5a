import type { Clock } from '../clock.ts';
import type { Pending } from './delivery.ts';
import type { Limits } from './limits.ts';
import { Expendables, victim } from './overflow.ts';
import type { Why } from './park.ts';

/**
 * The deliveries of one notification, sink and plan: they go out one at a time, in the order in which they
 * were accepted. Exists only while something waits.
 */
export class Stream {
  readonly planUid: string;
  readonly #waiting: Pending[] = [];
  readonly #expendables = new Expendables<Pending>();
  #bytes = 0;
  /** `idle`: nobody is about to send the head; `queued`: waits for its turn; `busy`: in flight; `held`: waits for its time. */
  state: 'idle' | 'queued' | 'busy' | 'held' = 'idle';
  /** Until when it is held (monotonic milliseconds). */
  heldUntil = 0;
  /** …and where that is because its head fails while others arrive: why, and until when (milliseconds since the epoch). */
  suspected: (Why & { readonly nextAt: number }) | undefined;
  #cancelHold: (() => void) | undefined;

  constructor(planUid: string) {
    this.planUid = planUid;
  }

  get head(): Pending | undefined {
    return this.#waiting[0];
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Appends; returns what had to go for it (it may be the new one itself). One always stays, whatever its size. */
  push(pending: Pending, limits: Limits): Pending[] {
    this.#waiting.push(pending);
    this.#bytes += pending.bytes;
    this.#expendables.add(pending);
    const dropped: Pending[] = [];
    while (this.#overflows(limits)) {
      const gone = victim(this.#waiting, this.#expendables, this.#tried);
      if (gone === undefined || !this.remove(gone)) break;
      dropped.push(gone);
    }
    return dropped;
  }

  #overflows(limits: Limits): boolean {
    const { length } = this.#waiting;
    return length > 1 && (length > limits.streamDeliveries || this.#bytes > limits.streamBytes);
  }

  /** What waits of this event. */
  find(event: string): Pending | undefined {
    return this.#waiting.find(({ event: { id } }) => id === event);
  }

  /** Takes the head away: it is settled. */
  shift(): void {
    const head = this.#waiting.shift();
    if (head !== undefined) this.#gone(head);
  }

  /** Its head comes again after so long; `why`, where it is suspected. */
  hold(clock: Clock, ms: number, again: () => void, why?: Why): void {
    this.state = 'held';
    this.suspected = why && { ...why, nextAt: clock.now() + ms };
    this.heldUntil = clock.monotonic() + ms;
    this.#cancelHold = clock.after(ms, again);
  }

  /** Ends the wait and empties the stream, but for a head in flight; returns what waited. */
  clear(): Pending[] {
    this.#cancelHold?.();
    const gone = this.#waiting.splice(this.state === 'busy' ? 1 : 0);
    for (const pending of gone) this.#gone(pending);
    return gone;
  }

  /** Takes out something that waits; false for a head that has been tried, which stays. */
  remove(pending: Pending): boolean {
    return pending !== this.#tried && this.#take(pending);
  }

  /** Takes out what has become too old, even a head that has been tried; false for one that is being sent. */
  expire(pending: Pending): boolean {
    return !(pending === this.head && this.state === 'busy') && this.#take(pending);
  }

  /** The head once it has been tried: the receiver may have it, and its order is settled. */
  get #tried(): Pending | undefined {
    const { head } = this;
    return this.state === 'busy' || (head?.requests ?? 0) > 0 ? head : undefined;
  }

  #take(pending: Pending): boolean {
    const index = this.#waiting.indexOf(pending);
    if (index < 0) return false;
    this.#waiting.splice(index, 1);
    this.#gone(pending);
    if (index === 0 && this.state === 'held') {
      this.#cancelHold?.();
      this.state = 'idle';
    }
    return true;
  }

  #gone(pending: Pending): void {
    this.#bytes -= pending.bytes;
    this.#expendables.remove(pending);
  }
}
