/** The number of messages and calls that are accepted before the answer is 429. Default: unlimited. */
export interface TeamchatRates {
  /**
   * Messages a second: of chat.postMessage for each channel, of webhooks for each URL. Slack's own is 1.
   * https://docs.slack.dev/apis/web-api/rate-limits
   */
  readonly messagesPerSecond?: number;
  /** The number of messages that may arrive at once. Default 1. */
  readonly burst?: number;
  /** Calls of other methods a minute and token: `{ 'chat.update': 50 }`. They may come at once. */
  readonly callsPerMinute?: Readonly<Record<string, number>>;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Token buckets by key. */
export class Limiter {
  readonly #rates: TeamchatRates;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** @param now wall clock, milliseconds since the epoch. */
  constructor(rates: TeamchatRates, now: () => number) {
    this.#rates = rates;
    this.#now = now;
  }

  /** For a message to a channel or by a webhook: 0, or the whole seconds until the next try. */
  message(place: string): number {
    const { messagesPerSecond, burst = 1 } = this.#rates;
    return messagesPerSecond === undefined ? 0 : this.#take(place, messagesPerSecond, burst);
  }

  /** For a call of a method: 0, or the whole seconds until the next try. */
  call(method: string, token: string): number {
    const perMinute = this.#rates.callsPerMinute?.[method];
    return perMinute === undefined ? 0 : this.#take(`${method} ${token}`, perMinute / 60, perMinute);
  }

  #take(key: string, perSecond: number, size: number): number {
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { tokens: size, at: now };
    const passed = Math.max(0, now - bucket.at) / 1000;
    bucket.tokens = Math.min(size, bucket.tokens + passed * perSecond);
    bucket.at = now;
    this.#buckets.set(key, bucket);
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond));
    bucket.tokens -= 1;
    return 0;
  }
}
