import { sleep, type Clock } from '../clock.ts';

/**
 * A token bucket by reservation: whoever takes a token that is not there yet gets a place in time, so that those
 * who wait are served in the order in which they came.
 */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #rate: number;
  readonly #burst: number;
  #tokens: number;
  #at: number;

  /** `perSecond` tokens come a second, `burst` at most are kept; it begins full. */
  constructor(clock: Clock, perSecond: number, burst: number) {
    this.#clock = clock;
    this.#rate = perSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = clock.monotonic();
  }

  /** Resolves when the token is there, or at once when `signal` aborts (the token then goes back). */
  async take(signal?: AbortSignal): Promise<void> {
    this.#refill();
    this.#tokens -= 1;
    if (this.#tokens >= 0) return;
    await sleep(this.#clock, -this.#tokens / this.#rate, signal);
    if (signal?.aborted) this.#tokens += 1;
  }

  /** Takes a token if one is there. */
  tryTake(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Milliseconds until `tryTake` would succeed; 0 when it would now. */
  waitMs(): number {
    this.#refill();
    return Math.max(0, (1 - this.#tokens) / this.#rate);
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#at) * this.#rate);
    this.#at = now;
  }
}
