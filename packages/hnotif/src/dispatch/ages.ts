import type { Clock } from '../clock.ts';
import type { Pending } from './delivery.ts';
import type { Limits } from './limits.ts';
import { isExpendable } from './overflow.ts';

/** What waits is looked through at most so often (milliseconds): a delivery may be so much too old. */
const SWEEP_MS = 60_000;

export interface AgesOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly waiting: () => Iterable<Pending>;
  /** It is too old. May leave it where it is: it is asked again. */
  readonly expire: (pending: Pending) => void;
}

/**
 * Finds what has waited for too long, wherever it waits. Age is counted by the monotonic clock: a wall clock that jumps ends
 * nothing.
 */
export class Ages {
  readonly #options: AgesOptions;
  /** When the next sweep is (monotonic milliseconds). */
  #at = Infinity;
  #cancel: (() => void) | undefined;

  constructor(options: AgesOptions) {
    this.#options = options;
  }

  isOver(pending: Pending): boolean {
    return this.#endOf(pending) <= this.#options.clock.monotonic();
  }

  /** Something more waits. */
  enter(pending: Pending): void {
    const end = this.#endOf(pending);
    if (end < this.#at) this.#arm(end);
  }

  /** Nothing waits any more. */
  rest(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#at = Infinity;
  }

  #endOf({ event, since }: Pending): number {
    const { maxAgeMs, maxAgeOfProgressMs } = this.#options.limits;
    return since + (isExpendable(event) ? maxAgeOfProgressMs : maxAgeMs);
  }

  #arm(at: number): void {
    const { clock } = this.#options;
    this.#cancel?.();
    this.#at = at;
    this.#cancel = clock.after(Math.max(0, Math.ceil(at - clock.monotonic())), () => {
      this.rest();
      this.#sweep();
    });
  }

  #sweep(): void {
    const { clock, limits, waiting, expire } = this.#options;
    const now = clock.monotonic();
    let next = Infinity;
    for (const pending of waiting()) {
      const end = this.#endOf(pending);
      if (end <= now) expire(pending);
      else next = Math.min(next, end);
    }
    const pace = Math.min(SWEEP_MS, limits.maxAgeMs, limits.maxAgeOfProgressMs);
    if (next < Infinity) this.#arm(Math.max(next, now + pace));
  }
}
