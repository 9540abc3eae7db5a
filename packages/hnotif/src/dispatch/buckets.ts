import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock.ts';
import type { Permits, Rate } from '../sinks/rate.ts';

/** Those who asked for a bucket's tokens and have not come again for so long have no part in its rate (milliseconds). */
const FORGOTTEN_MS = 3_600_000;

/** Buckets are looked through for unused ones when there are more than so many, and than twice those in use. */
const SWEEP_AT = 1_024;

/** Tokens come back in fractions; so much is lost in adding them up. */
const EPSILON = 1e-9;

interface Waiter {
  readonly buckets: readonly Bucket[];
  readonly settle: (taken: boolean) => void;
}

/**
 * Token buckets by name. A request takes one token of each of its buckets, together or not at all. Who waits is served
 * in the order of coming; one that lacks a token of another bucket is passed over and keeps its place.
 */
export class Buckets implements Permits {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();
  #sweepAt = SWEEP_AT;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many buckets are kept. */
  get size(): number {
    return this.#buckets.size;
  }

  /** The first bucket's name says who asks: a bucket that is shared has the largest rate and burst among its askers. */
  take(rates: readonly Rate[], signal: AbortSignal): boolean | Promise<boolean> {
    if (signal.aborted) return false;
    const asker = rates[0]?.key ?? '';
    const buckets = rates.map((rate) => this.#bucket(rate, asker));
    if (buckets.every((bucket) => bucket.idle) && takeAll(buckets)) return true;
    return new Promise((resolve) => {
      const onAbort = (): void => {
        for (const bucket of buckets) bucket.leave(waiter);
        resolve(false);
      };
      const waiter: Waiter = {
        buckets,
        settle(taken) {
          signal.removeEventListener('abort', onAbort);
          resolve(taken);
        },
      };
      // One signal may end many waits: that is no leak, as Node would warn.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', onAbort, { once: true });
      for (const bucket of buckets) bucket.join(waiter);
      // Those who wait may all be waiting for other buckets than this one does.
      for (const bucket of buckets) bucket.serve();
    });
  }

  /** Ends every timer and every wait. */
  close(): void {
    for (const bucket of this.#buckets.values()) bucket.close();
    this.#buckets.clear();
  }

  #bucket(rate: Rate, asker: string): Bucket {
    let bucket = this.#buckets.get(rate.key);
    if (bucket === undefined) {
      this.#sweep();
      this.#buckets.set(rate.key, (bucket = new Bucket(this.#clock)));
    }
    bucket.asked(asker, rate);
    return bucket;
  }

  /** A bucket that is full and for which nobody waits is as good as a new one. */
  #sweep(): void {
    if (this.#buckets.size < this.#sweepAt) return;
    for (const [key, bucket] of this.#buckets) if (bucket.unused) this.#buckets.delete(key);
    this.#sweepAt = Math.max(SWEEP_AT, this.#buckets.size * 2);
  }
}

/** Takes one token of each, if all have one. */
function takeAll(buckets: readonly Bucket[]): boolean {
  if (!buckets.every((bucket) => bucket.hasToken)) return false;
  for (const bucket of buckets) bucket.spend();
  return true;
}

class Bucket {
  readonly #clock: Clock;
  readonly #askers = new Map<string, { rate: Rate; at: number }>();
  readonly #waiting = new Set<Waiter>();
  #perSecond = 0;
  #burst = 0;
  #tokens = 0;
  #countedAt: number;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.monotonic();
  }

  get idle(): boolean {
    return this.#waiting.size === 0;
  }

  get hasToken(): boolean {
    return this.#count() >= 1 - EPSILON;
  }

  get unused(): boolean {
    return this.idle && this.#count() >= this.#burst;
  }

  /** Somebody's present wish for its rate. */
  asked(asker: string, rate: Rate): void {
    const now = this.#clock.monotonic();
    const before = this.#askers.get(asker);
    if (before?.rate.perSecond === rate.perSecond && before.rate.burst === rate.burst) {
      before.at = now;
      return;
    }
    this.#count();
    this.#askers.set(asker, { rate, at: now });
    for (const [name, { at }] of this.#askers) if (now - at > FORGOTTEN_MS) this.#askers.delete(name);
    const rates = [...this.#askers.values()].map((each) => each.rate);
    this.#perSecond = Math.max(...rates.map(({ perSecond }) => perSecond));
    const burst = Math.max(...rates.map((each) => each.burst));
    // It begins full, and so does what is added to it.
    this.#tokens = Math.min(this.#tokens + Math.max(0, burst - this.#burst), burst);
    this.#burst = burst;
  }

  spend(): void {
    this.#tokens = this.#count() - 1;
  }

  join(waiter: Waiter): void {
    this.#waiting.add(waiter);
  }

  leave(waiter: Waiter): void {
    this.#waiting.delete(waiter);
    if (this.idle) this.#stopTimer();
  }

  /** Gives what is there to those who wait, and comes again when there is more. */
  serve(): void {
    for (const waiter of this.#waiting) {
      if (!this.hasToken) break;
      if (!takeAll(waiter.buckets)) continue;
      for (const bucket of waiter.buckets) bucket.leave(waiter);
      waiter.settle(true);
    }
    this.#stopTimer();
    if (this.idle || this.hasToken) return;
    const wait = Math.ceil(((1 - this.#count()) / this.#perSecond) * 1000);
    this.#cancelTimer = this.#clock.after(wait, () => {
      this.#cancelTimer = undefined;
      this.serve();
    });
  }

  close(): void {
    this.#stopTimer();
    for (const waiter of this.#waiting) waiter.settle(false);
    this.#waiting.clear();
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #count(): number {
    const now = this.#clock.monotonic();
    const back = ((now - this.#countedAt) / 1000) * this.#perSecond;
    this.#countedAt = now;
    return (this.#tokens = Math.min(this.#tokens + back, this.#burst));
  }
}
