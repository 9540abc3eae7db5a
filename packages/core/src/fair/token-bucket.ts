import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock.ts';
import { FairQueue } from './queue.ts';

/** The priority of a waiting request: a new message, or an update of an earlier message. */
export type Priority = 'message' | 'update';

/** The request that takes tokens. */
export interface TokenRequest {
  /** The namespace: namespaces that wait for the same bucket take turns. */
  readonly owner: string;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Default: `message`. */
  readonly priority?: Priority;
}

/** The part of a bucket that one sink gets. */
export interface TokenShare {
  /** Tokens each second. */
  readonly perSecond: number;
  /** Owners that wait, this one included. */
  readonly owners: number;
  /** Sinks of this owner that wait. */
  readonly sinks: number;
}

/** A request that waits for one token of each of these buckets. */
interface Waiter {
  readonly owner: string;
  readonly buckets: readonly TokenBucket[];
  readonly priority: Priority;
  readonly settle: (taken: boolean) => void;
}

/**
 * The sink of a request: its first bucket, which it shares with no other sink. Requests of one bucket alone (API requests, journal writes)
 * are all of one part.
 */
const sinkOf = ({ buckets }: Waiter): unknown => buckets[0];

/** Tokens come back in fractions. Adding them up loses about this much. */
const EPSILON = 1e-9;

/** While updates wait, they get one token in this many. */
const UPDATES = 4;

/**
 * A token bucket. Owners that wait for a token take turns, and so do the sinks of one owner. The requests of one sink are served in their
 * order. Messages go before updates.
 */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #waiting: Record<Priority, FairQueue<Waiter>> = {
    message: new FairQueue({ partOf: sinkOf }),
    update: new FairQueue({ partOf: sinkOf }),
  };
  #perSecond: number;
  #burst: number;
  #tokens: number;
  /** When the tokens were counted (monotonic milliseconds); during a pause: when it ends. */
  #countedAt: number;
  /** Tokens taken for messages since the last one for an update. */
  #messages = 0;
  #cancelTimer: (() => void) | undefined;

  /** `perSecond` tokens come back each second. The bucket holds at most `burst` tokens and begins full. */
  constructor(clock: Clock, perSecond: number, burst: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#countedAt = clock.monotonic();
  }

  /** Changes the rate. Tokens that a larger burst adds are available at once. */
  setRate(perSecond: number, burst: number): void {
    this.#tokens = Math.min(this.#count() + Math.max(0, burst - this.#burst), burst);
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#serve();
  }

  /** Whether nothing waits. */
  get isIdle(): boolean {
    return this.#waiting.message.size + this.#waiting.update.size === 0;
  }

  /** Whether it is full and nothing waits: a new bucket would be the same. */
  get isUnused(): boolean {
    return this.isIdle && this.#hasToken && this.#tokens >= this.#burst;
  }

  /** Whole milliseconds until there is a token; 0: there is one now. */
  get waitMs(): number {
    const missing = 1 - this.#count();
    const paused = this.#countedAt - this.#clock.monotonic();
    if (paused > 0) return Math.ceil(paused);
    return missing <= EPSILON ? 0 : Math.ceil((missing / this.#perSecond) * 1_000);
  }

  /** What one sink of an owner gets while others wait, too. */
  shareOf(owner: string): TokenShare {
    const { message } = this.#waiting;
    const sinks = Math.max(1, message.parts(owner));
    const owners = message.owners + (message.waiting(owner) > 0 ? 0 : 1);
    return { perSecond: this.#perSecond / owners / sinks, owners, sinks };
  }

  /** Takes a token if there is one. Does not wait, and goes before requests that wait. */
  tryTake(): boolean {
    const taken = TokenBucket.#takeAll([this], 'message');
    // A request that waits may need this bucket and another one. The timer may be late, and there may be more tokens.
    this.#serve();
    return taken;
  }

  /** As `takeAll` with this bucket alone. */
  take(request: TokenRequest): boolean | Promise<boolean> {
    return TokenBucket.takeAll([this], request);
  }

  /**
   * Takes one token of each bucket, together or not at all. A request that lacks a token of one bucket keeps its place; later requests may be served first.
   * The first bucket is that of the sink: requests with the same one keep their order, others of the same owner take turns.
   * True once the tokens are taken: at once, or as a promise. False when the signal has aborted: nothing was taken.
   */
  static takeAll(buckets: readonly TokenBucket[], request: TokenRequest): boolean | Promise<boolean> {
    const { owner, signal, priority = 'message' } = request;
    if (signal.aborted) return false;
    if (buckets.every((bucket) => bucket.isIdle) && TokenBucket.#takeAll(buckets, priority)) return true;
    return new Promise((resolve) => {
      const onAbort = (): void => {
        for (const bucket of buckets) bucket.#leave(waiter);
        resolve(false);
      };
      const settle = (taken: boolean): void => {
        signal.removeEventListener('abort', onAbort);
        resolve(taken);
      };
      const waiter: Waiter = { owner, buckets, priority, settle };
      // One signal may end many waits. Node would warn of a leak.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', onAbort, { once: true });
      for (const bucket of buckets) bucket.#waiting[priority].add(owner, waiter);
      // The requests that wait here may all wait for other buckets.
      for (const bucket of buckets) bucket.#serve();
    });
  }

  /** Puts a token back that was not used. */
  giveBack(): void {
    this.#tokens = Math.min(this.#count() + 1, this.#burst);
    this.#serve();
  }

  /** Gives nothing for `ms`, then one token. Of two pauses the one that ends later holds. */
  pause(ms: number): void {
    const until = this.#clock.monotonic() + ms;
    if (until <= this.#countedAt) return;
    this.#tokens = 1;
    this.#countedAt = until;
    // A pause of 0 ms has ended.
    this.#serve();
  }

  /** Ends all waits. */
  close(): void {
    this.#stopTimer();
    for (const waiting of Object.values(this.#waiting)) {
      for (const waiter of [...waiting.items()]) waiter.settle(false);
      waiting.clear();
    }
  }

  get #hasToken(): boolean {
    return this.#count() >= 1 - EPSILON && this.#countedAt <= this.#clock.monotonic();
  }

  /**
   * Whether its timer is set. The timer serves the requests in their turns. If the token is there a moment earlier, no other bucket may
   * give it away: a sink's own bucket, often of the same rate, would always be first.
   */
  get #isArmed(): boolean {
    return this.#cancelTimer !== undefined;
  }

  static #takeAll(buckets: readonly TokenBucket[], priority: Priority): boolean {
    if (!buckets.every((bucket) => bucket.#hasToken)) return false;
    for (const bucket of buckets) {
      bucket.#tokens = bucket.#count() - 1;
      bucket.#messages = priority === 'update' ? 0 : bucket.#messages + 1;
    }
    return true;
  }

  #leave(waiter: Waiter): void {
    this.#waiting[waiter.priority].delete(waiter.owner, waiter);
    if (this.isIdle) this.#stopTimer();
  }

  /** Gives the tokens to the waiting requests. Runs again when there are more tokens. */
  #serve(): void {
    while (!this.isIdle) {
      // Asked once for each turn: time goes on. A token that comes before the timer is set makes the timer fire at once.
      if (!this.#hasToken) {
        this.#arm();
        return;
      }
      // The requests wait for other buckets, which have timers.
      if (!this.#serveOne()) break;
    }
    this.#stopTimer();
  }

  #serveOne(): boolean {
    const order: Priority[] = this.#messages < UPDATES - 1 ? ['message', 'update'] : ['update', 'message'];
    // Hundreds of updates may wait for the same empty bucket.
    let empty: TokenBucket | undefined;
    const isEligible = ({ buckets }: Waiter): boolean => {
      if (empty !== undefined && buckets.includes(empty)) return false;
      const found = buckets.find((bucket) => !bucket.#hasToken || (bucket !== this && bucket.#isArmed));
      empty = found ?? empty;
      return found === undefined;
    };
    for (const priority of order) {
      const served = this.#waiting[priority].take(1, isEligible);
      if (served === undefined) continue;
      const { buckets, settle } = served.item;
      TokenBucket.#takeAll(buckets, priority);
      // The queues of the other buckets charge the owner, too: the request is a turn in each of them.
      for (const bucket of buckets)
        if (bucket !== this) bucket.#waiting[priority].takeItem(served.owner, served.item);
      // It may have been the last token of a bucket that had no timer.
      for (const bucket of buckets) if (bucket !== this && !bucket.isIdle && !bucket.#hasToken) bucket.#arm();
      settle(true);
      return true;
    }
    return false;
  }

  /** Sets the timer for the next token. */
  #arm(): void {
    this.#stopTimer();
    this.#cancelTimer = this.#clock.after(this.waitMs, () => {
      this.#cancelTimer = undefined;
      this.#serve();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** The present number of tokens; during a pause the number at its end. */
  #count(): number {
    const now = this.#clock.monotonic();
    if (now <= this.#countedAt) return this.#tokens;
    const back = ((now - this.#countedAt) / 1_000) * this.#perSecond;
    this.#countedAt = now;
    return (this.#tokens = Math.min(this.#tokens + back, this.#burst));
  }
}
