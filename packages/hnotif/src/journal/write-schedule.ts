import type { Clock } from '@hnotif/core/clock';
import { restAfter } from '../slices.ts';
import { AWAITED, UNAWAITED, type Pace, type WritePacer } from './write-pacer.ts';

interface WriteScheduleOptions<O> {
  readonly clock: Clock;
  readonly pace: WritePacer;
  /** Writes the object when it is due. */
  readonly queue: { add(object: O, when: { readonly afterMs: number; readonly urgent: boolean }): void };
}

/** A journal object. */
interface Written {
  readonly namespace: string;
  /** How many plans have an entry in it. */
  readonly size: number;
}

/** How soon a change is written that no request waits for. */
interface Delay {
  readonly ms: number;
  /** In a burst. */
  readonly pace: Pace;
}

/** A change that is not urgent is written after this time (milliseconds). */
export const LAZY_MS = 1_000;
const LAZY: Delay = { ms: LAZY_MS, pace: UNAWAITED };
/** An outcome, an event that was sent, and a value that nothing waits for. After a kill, a webhook gets such a message twice. */
export const SETTLE: Delay = { ms: 500, pace: UNAWAITED };
/** The outcome for a chat, where people see a message twice. It waits about as long as a write takes, so that those of many plans join. */
export const SETTLE_CHAT: Delay = { ms: 10, pace: AWAITED };
/** An outcome is stored after this time at the latest (milliseconds). Until then a kill would send the delivery twice. */
const SETTLE_PATIENCE_MS = 5_000;

/** When a journal object is written: at once for an event that waits, later for an outcome, and in a burst with the changes of many plans. */
export class WriteSchedule<O extends Written = Written> {
  readonly #options: WriteScheduleOptions<O>;
  readonly #object: O;
  /** Uids of plans that wait for the next write. */
  readonly #urgent = new Set<string>();
  /** When the last write began (monotonic milliseconds). */
  #writtenAt = -Infinity;
  /** No write begins before, unless a request waits for it (monotonic milliseconds). */
  #restsUntil = -Infinity;
  /** Cancels the timer after which outcomes are urgent. */
  #cancelPatience: (() => void) | undefined;
  #closed = false;

  constructor(options: WriteScheduleOptions<O>, object: O) {
    this.#options = options;
    this.#object = object;
  }

  /** Requests a write after `ms`, or now: also in a burst. Default: urgent if it is now. */
  within(ms: number, urgent = ms === 0): void {
    if (!this.#closed) this.#options.queue.add(this.#object, { afterMs: ms, urgent });
  }

  /** Requests a write that is not urgent. In a burst it joins those of other plans. */
  later({ ms, pace } = LAZY): void {
    this.within(Math.max(ms, this.#restMs, this.#paceMs(pace)));
  }

  /** Requests a write of outcomes. After some seconds it is urgent. */
  settle(delay = SETTLE): void {
    this.later(delay);
    if (this.#closed) return;
    this.#cancelPatience ??= this.#options.clock.after(SETTLE_PATIENCE_MS, () => {
      this.within(0);
    });
  }

  /** Requests a write that deliveries of this plan wait for: now, unless there is a burst. */
  urgently(uid: string): void {
    this.#urgent.add(uid);
    // If most of the plans wait for the write, few others could join it.
    const isFull = 4 * this.#urgent.size >= 3 * this.#object.size;
    const afterMs = Math.max(this.#restMs, isFull ? 0 : this.#paceMs(AWAITED));
    if (!this.#closed) this.#options.queue.add(this.#object, { afterMs, urgent: true });
  }

  /** A write takes all changes. */
  taken(): void {
    this.#urgent.clear();
    this.#endPatience();
  }

  /** The texts of a write took this long (milliseconds). The request takes about as long. */
  prepared(tookMs: number): void {
    this.#restsUntil = this.#options.clock.monotonic() + restAfter(2 * tookMs);
  }

  /** A write is sent. */
  sent(): void {
    this.#writtenAt = this.#options.clock.monotonic();
  }

  close(): void {
    this.#closed = true;
    this.#endPatience();
  }

  /** The rest of the wait after the last write (milliseconds). Plans that share an object wait less: each would wait for the others. */
  get #restMs(): number {
    return this.#object.size > 1 ? 0 : Math.max(0, this.#restsUntil - this.#options.clock.monotonic());
  }

  /** The wait before the next write in a burst (milliseconds); 0: no wait. */
  #paceMs(of: Pace): number {
    return this.#options.pace.waitMs(this.#object.namespace, this.#writtenAt, of);
  }

  #endPatience(): void {
    this.#cancelPatience?.();
    this.#cancelPatience = undefined;
  }
}
