import type { Clock } from '@hnotif/core/clock';

const FIRST_MS = 800;
/** With the jitter, which at most doubles it, no wait is longer than 30 s. */
const LAST_MS = 15_000;
const QUIET_MS = 120_000;

/**
 * The waits between attempts, as in client-go's reflector: each is twice the last one, with random jitter so that clients do not retry
 * together. After two minutes without a failure they are short again.
 */
export class Backoff {
  readonly #clock: Clock;
  #next = FIRST_MS;
  #quietAt = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The next wait (milliseconds): 800 to 1,600 at first, 15,000 to 30,000 at most. `atLeast` counts up to 30 s. */
  next(atLeast = 0): number {
    const now = this.#clock.monotonic();
    if (now >= this.#quietAt) this.#next = FIRST_MS;
    const wait = this.#next * (1 + this.#clock.random());
    this.#next = Math.min(LAST_MS, this.#next * 2);
    const chosen = Math.max(wait, Math.min(atLeast, 2 * LAST_MS));
    this.#quietAt = now + chosen + QUIET_MS;
    return chosen;
  }

  reset(): void {
    this.#next = FIRST_MS;
  }
}
