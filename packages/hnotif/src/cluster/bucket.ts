import type { Clock } from '../clock.ts';
import { FairQueue } from '../fair/queue.ts';

/** A token bucket. Owners (namespaces) that wait for a token take turns; an owner's are served in the order in which they came. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #rate: number;
  readonly #burst: number;
  readonly #waiting = new FairQueue<() => void>();
  #tokens: number;
  #at: number;
  #cancelTimer: (() => void) | undefined;

  /** `perSecond` tokens come a second, `burst` at most are kept; it begins full. */
  constructor(clock: Clock, perSecond: number, burst: number) {
    this.#clock = clock;
    this.#rate = perSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = clock.monotonic();
  }

  /** Resolves when a token was taken, or at once, without one, when `signal` aborts. */
  async take(signal?: AbortSignal, owner = ''): Promise<void> {
    if (signal?.aborted === true || (this.#waiting.size === 0 && this.tryTake())) return;
    await new Promise<void>((resolve) => {
      const served = (): void => {
        signal?.removeEventListener('abort', callOff);
        resolve();
      };
      const callOff = (): void => {
        this.#waiting.delete(owner, served);
        if (this.#waiting.size === 0) this.#stopTimer();
        resolve();
      };
      signal?.addEventListener('abort', callOff, { once: true });
      this.#waiting.add(owner, served);
      this.#arm();
    });
  }

  /** Takes a token if one is there. */
  tryTake(): boolean {
    this.#refill();
    // What is added up in fractions may lack the last of them.
    if (this.#tokens < 1 - 1e-9) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Milliseconds until `tryTake` would succeed; 0 when it would now. */
  waitMs(): number {
    this.#refill();
    return Math.max(0, (1 - this.#tokens) / this.#rate);
  }

  #serve(): void {
    while (this.#waiting.size > 0 && this.tryTake()) this.#waiting.take()?.item();
    this.#arm();
  }

  #arm(): void {
    if (this.#waiting.size === 0 || this.#cancelTimer !== undefined) return;
    this.#cancelTimer = this.#clock.after(Math.ceil(this.waitMs()), () => {
      this.#cancelTimer = undefined;
      this.#serve();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#at) * this.#rate);
    this.#at = now;
  }
}
