import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock.ts';
import type { TokenRequest, RateLimits, Rate } from '../sinks/rate.ts';
import { takeAll, TokenBucket, type Waiter } from './token-bucket.ts';

/** Buckets are looked through for unused ones when there are more than so many, and than twice those in use. */
const SWEEP_AT = 1_024;

/**
 * Token buckets by name. A request takes one token of each of its buckets, together or not at all. Those that wait take turns by
 * owner; one that lacks a token of another bucket is passed over and keeps its place.
 */
export class RateLimiter implements RateLimits {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, TokenBucket>();
  #sweepAt = SWEEP_AT;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many buckets are kept. */
  get size(): number {
    return this.#buckets.size;
  }

  /** The first bucket's name says who asks: a bucket that is shared has the largest rate and burst among its askers. */
  take(
    rates: readonly Rate[],
    { owner, signal, priority: rank = 'message' }: TokenRequest,
  ): boolean | Promise<boolean> {
    if (signal.aborted) return false;
    const asker = rates[0]?.key ?? '';
    const buckets = rates.map((rate) => this.#bucket(rate, asker));
    if (buckets.every((bucket) => bucket.idle) && takeAll(buckets, rank)) return true;
    return new Promise((resolve) => {
      const onAbort = (): void => {
        for (const bucket of buckets) bucket.leave(waiter);
        resolve(false);
      };
      const waiter: Waiter = {
        owner,
        buckets,
        rank,
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

  pause(key: string, ms: number): void {
    this.#buckets.get(key)?.pause(ms);
  }

  giveBack(rates: readonly Rate[]): void {
    for (const { key } of rates) this.#buckets.get(key)?.giveBack();
  }

  /** How many tokens of these buckets an owner gets in a second, beside the other owners that wait for them. */
  pace(rates: readonly Rate[], owner: string): number {
    return Math.min(...rates.map(({ key, perSecond }) => this.#buckets.get(key)?.pace(owner) ?? perSecond));
  }

  /** Ends every timer and every wait. */
  close(): void {
    for (const bucket of this.#buckets.values()) bucket.close();
    this.#buckets.clear();
  }

  #bucket(rate: Rate, asker: string): TokenBucket {
    let bucket = this.#buckets.get(rate.key);
    if (bucket === undefined) {
      this.#sweep();
      this.#buckets.set(rate.key, (bucket = new TokenBucket(this.#clock)));
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
