import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock.ts';
import type { Permits, Rank, Rate } from '../sinks/rate.ts';

/** Those who asked for a bucket's tokens and have not come again for so long have no part in its rate (milliseconds). */
const FORGOTTEN_MS = 3_600_000;

/** Buckets are looked through for unused ones when there are more than so many, and than twice those in use. */
const SWEEP_AT = 1_024;

/** Tokens come back in fractions; so much is lost in adding them up. */
const EPSILON = 1e-9;

interface Waiter {
  readonly buckets: readonly Bucket[];
  readonly rank: Rank;
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
  take(rates: readonly Rate[], signal: AbortSignal, rank: Rank = 'message'): boolean | Promise<boolean> {
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
function takeAll(buckets: readonly Bucket[], rank: Rank): boolean {
  if (!buckets.every((bucket) => bucket.hasToken)) return false;
  for (const bucket of buckets) bucket.spend(rank);
  return true;
}

/** Of so many tokens one is for an update, if one waits. */
const SHARE = 4;

class Bucket {
  readonly #clock: Clock;
  readonly #askers = new Map<string, { rate: Rate; at: number }>();
  readonly #waiting: Record<Rank, Set<Waiter>> = { message: new Set(), update: new Set() };
  #perSecond = 0;
  #burst = 0;
  #tokens = 0;
  /** When the tokens were counted (monotonic milliseconds); in a pause, when it ends. */
  #countedAt: number;
  /** Tokens for messages since the last one for an update. */
  #messages = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.monotonic();
  }

  get idle(): boolean {
    return this.#waiting.message.size + this.#waiting.update.size === 0;
  }

  get hasToken(): boolean {
    return this.#count() >= 1 - EPSILON && this.#countedAt <= this.#clock.monotonic();
  }

  get unused(): boolean {
    return this.idle && this.hasToken && this.#tokens >= this.#burst;
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
    this.serve();
  }

  spend(rank: Rank): void {
    this.#tokens = this.#count() - 1;
    this.#messages = rank === 'update' ? 0 : this.#messages + 1;
  }

  giveBack(): void {
    this.#tokens = Math.min(this.#count() + 1, this.#burst);
    this.serve();
  }

  /** Nothing for so long, then one token; a pause that ends later holds. */
  pause(ms: number): void {
    const until = this.#clock.monotonic() + ms;
    if (until <= this.#countedAt) return;
    this.#tokens = 1;
    this.#countedAt = until;
    this.#arm();
  }

  join(waiter: Waiter): void {
    this.#waiting[waiter.rank].add(waiter);
  }

  leave(waiter: Waiter): void {
    this.#waiting[waiter.rank].delete(waiter);
    if (this.idle) this.#stopTimer();
  }

  /** Gives what is there to those who wait, and comes again when there is more. */
  serve(): void {
    while (this.hasToken && this.#serveOne());
    this.#arm();
  }

  close(): void {
    this.#stopTimer();
    for (const waiting of Object.values(this.#waiting)) {
      for (const waiter of waiting) waiter.settle(false);
      waiting.clear();
    }
  }

  #serveOne(): boolean {
    const ranks: Rank[] = this.#messages < SHARE - 1 ? ['message', 'update'] : ['update', 'message'];
    for (const rank of ranks)
      for (const waiter of this.#waiting[rank]) {
        if (!takeAll(waiter.buckets, rank)) continue;
        for (const bucket of waiter.buckets) bucket.leave(waiter);
        // It may have been the last token of a bucket whose next one nobody was waiting for until now.
        for (const bucket of waiter.buckets) bucket.#arm();
        waiter.settle(true);
        return true;
      }
    return false;
  }

  /** Comes again when the next token is there, if somebody waits for it. */
  #arm(): void {
    this.#stopTimer();
    if (this.idle || this.hasToken) return;
    const paused = this.#countedAt - this.#clock.monotonic();
    const wait = paused > 0 ? paused : ((1 - this.#tokens) / this.#perSecond) * 1000;
    this.#cancelTimer = this.#clock.after(Math.ceil(wait), () => {
      this.#cancelTimer = undefined;
      this.serve();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #count(): number {
    const now = this.#clock.monotonic();
    if (now <= this.#countedAt) return this.#tokens;
    const back = ((now - this.#countedAt) / 1000) * this.#perSecond;
    this.#countedAt = now;
    return (this.#tokens = Math.min(this.#tokens + back, this.#burst));
  }
}
