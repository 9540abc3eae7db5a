import type { Clock } from '../clock.ts';
import { excessOf } from '../fair/excess.ts';
import { TokenBucket, type TokenRequest, type TokenShare } from '../fair/token-bucket.ts';
import type { RateLimits, Rate } from './rate.ts';

/** Unused buckets are removed when there are this many buckets, and twice as many as after the last removal. */
const SWEEP_AT = 1_024;
/** So many others stay then, besides those in which requests wait: a bucket of a very low rate would never be full. */
const KEPT = 8_192;

/** A sink that has not used a bucket for this time has no effect on its rate (milliseconds). */
const FORGOTTEN_MS = 3_600_000;

/** A token bucket, and the rate that each of its sinks has configured. */
interface SharedBucket {
  readonly bucket: TokenBucket;
  /** The namespace that used it first. */
  readonly owner: string;
  /** By sink. `at`: its last use (monotonic milliseconds). */
  readonly asked: Map<string, { readonly rate: Rate; at: number }>;
  /** When the rate was set (monotonic milliseconds). */
  ratedAt: number;
}

/**
 * The token buckets of sinks, by name. A shared bucket has the largest rate and the largest burst that its sinks have
 * configured.
 */
export class RateLimiter implements RateLimits {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, SharedBucket>();
  #sweepAt = SWEEP_AT;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of buckets. */
  get size(): number {
    return this.#buckets.size;
  }

  /** The name of the first bucket identifies the sink. */
  take(rates: readonly Rate[], request: TokenRequest): boolean | Promise<boolean> {
    if (request.signal.aborted) return false;
    this.#sweep();
    const sink = rates[0]?.key ?? '';
    return TokenBucket.takeAll(
      rates.map((rate) => this.#bucket(rate, sink, request.owner)),
      request,
    );
  }

  pause(key: string, ms: number): void {
    this.#buckets.get(key)?.bucket.pause(ms);
  }

  giveBack(rates: readonly Rate[]): void {
    for (const { key } of rates) this.#buckets.get(key)?.bucket.giveBack();
  }

  /** The part of the slowest of these buckets that one sink of an owner gets. There is one rate at least. */
  shareOf(rates: readonly Rate[], owner: string): TokenShare {
    return rates
      .map(
        ({ key, perSecond }) =>
          this.#buckets.get(key)?.bucket.shareOf(owner) ?? { perSecond, owners: 1, sinks: 1 },
      )
      .reduce((slowest, each) => (each.perSecond < slowest.perSecond ? each : slowest));
  }

  /** Ends every timer and every wait. */
  close(): void {
    for (const { bucket } of this.#buckets.values()) bucket.close();
    this.#buckets.clear();
  }

  #bucket(rate: Rate, sink: string, owner: string): TokenBucket {
    const now = this.#clock.monotonic();
    let shared = this.#buckets.get(rate.key);
    if (shared === undefined) {
      const bucket = new TokenBucket(this.#clock, rate.perSecond, rate.burst);
      this.#buckets.set(rate.key, (shared = { bucket, owner, asked: new Map(), ratedAt: now }));
    }
    const { bucket, asked } = shared;
    const before = asked.get(sink);
    const isKnown = before?.rate.perSecond === rate.perSecond && before.rate.burst === rate.burst;
    if (isKnown) before.at = now;
    if (isKnown && now - shared.ratedAt < FORGOTTEN_MS) return bucket;
    shared.ratedAt = now;
    asked.set(sink, { rate, at: now });
    for (const [name, { at }] of asked) if (now - at > FORGOTTEN_MS) asked.delete(name);
    const rates = [...asked.values()].map((each) => each.rate);
    bucket.setRate(
      Math.max(...rates.map(({ perSecond }) => perSecond)),
      Math.max(...rates.map(({ burst }) => burst)),
    );
    return bucket;
  }

  #sweep(): void {
    if (this.#buckets.size < this.#sweepAt) return;
    for (const [key, { bucket }] of this.#buckets) if (bucket.isUnused) this.#buckets.delete(key);
    const idle = [...this.#buckets].filter(([, { bucket }]) => bucket.isIdle);
    for (const [key] of excessOf(idle, KEPT, ([, { owner }]) => owner)) this.#buckets.delete(key);
    this.#sweepAt = Math.max(SWEEP_AT, this.#buckets.size * 2);
  }
}
