import type { Clock } from '../clock.ts';
import { FairQueue } from '../fair/queue.ts';
import type { Priority, Rate } from '../sinks/rate.ts';

/** Those who asked for a bucket's tokens and have not come again for so long have no part in its rate (milliseconds). */
const FORGOTTEN_MS = 3_600_000;

/** Tokens come back in fractions; so much is lost in adding them up. */
const EPSILON = 1e-9;

/** Of so many tokens one is for an update, if one waits. */
const SHARE = 4;

/** What waits for a token of each of these buckets. */
export interface Waiter {
  readonly owner: string;
  readonly buckets: readonly TokenBucket[];
  readonly rank: Priority;
  readonly settle: (taken: boolean) => void;
}

const haveTokens = (buckets: readonly TokenBucket[]): boolean => buckets.every((bucket) => bucket.hasToken);

/** Takes one token of each, if all have one. */
export function takeAll(buckets: readonly TokenBucket[], rank: Priority): boolean {
  if (!haveTokens(buckets)) return false;
  for (const bucket of buckets) bucket.spend(rank);
  return true;
}

/** One token bucket, with those who wait for its tokens. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #askers = new Map<string, { rate: Rate; at: number }>();
  readonly #waiting: Record<Priority, FairQueue<Waiter>> = {
    message: new FairQueue(),
    update: new FairQueue(),
  };
  /** When it was last found out who has a part in the rate (monotonic milliseconds). */
  #ratedAt = 0;
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
    const isKnown = before?.rate.perSecond === rate.perSecond && before.rate.burst === rate.burst;
    if (isKnown) before.at = now;
    if (isKnown && now - this.#ratedAt < FORGOTTEN_MS) return;
    this.#ratedAt = now;
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

  /** How many tokens an owner gets in a second, beside the other owners that wait for messages. */
  pace(owner: string): number {
    const { message } = this.#waiting;
    const owners = message.owners + (message.waiting(owner) > 0 ? 0 : 1);
    return this.#perSecond / owners;
  }

  spend(rank: Priority): void {
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
    this.#waiting[waiter.rank].add(waiter.owner, waiter);
  }

  leave(waiter: Waiter): void {
    this.#waiting[waiter.rank].delete(waiter.owner, waiter);
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
      for (const waiter of [...waiting.items()]) waiter.settle(false);
      waiting.clear();
    }
  }

  #serveOne(): boolean {
    const ranks: Priority[] = this.#messages < SHARE - 1 ? ['message', 'update'] : ['update', 'message'];
    for (const rank of ranks) {
      const served = this.#waiting[rank].take(1, ({ buckets }) => haveTokens(buckets));
      if (served === undefined) continue;
      const { buckets, settle } = served.item;
      for (const bucket of buckets) bucket.spend(rank);
      for (const bucket of buckets) bucket.leave(served.item);
      // It may have been the last token of a bucket for whose next one nothing has waited until now.
      for (const bucket of buckets) bucket.#arm();
      settle(true);
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
