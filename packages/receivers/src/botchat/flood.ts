/** The number of messages that are accepted before the answer is 429. Default: unlimited. */
export interface BotchatRates {
  /** Telegram's own is 1 (core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this). */
  readonly perChatPerSecond?: number;
  /** In each group, supergroup and channel; Telegram's own is 20. */
  readonly perGroupPerMinute?: number;
  /** Over all chats; Telegram's own is about 30. */
  readonly perSecond?: number;
}

interface Window {
  readonly key: string;
  readonly limit: number | undefined;
  readonly ms: number;
}

/** Counts messages in windows that end now. */
export class Flood {
  readonly #rates: BotchatRates;
  /** The times of the newest messages of a window, oldest first, at most its limit. */
  readonly #times = new Map<string, number[]>();

  constructor(rates: BotchatRates) {
    this.#rates = rates;
  }

  /** Accepts a message at a time in milliseconds, and returns 0. Or returns the whole seconds until the next one is accepted. */
  take(chat: number, isGroup: boolean, now: number): number {
    const { perChatPerSecond, perGroupPerMinute, perSecond } = this.#rates;
    const windows: Window[] = [
      { key: `second of ${chat}`, limit: perChatPerSecond, ms: 1000 },
      { key: `minute of ${chat}`, limit: isGroup ? perGroupPerMinute : undefined, ms: 60_000 },
      { key: 'second', limit: perSecond, ms: 1000 },
    ];
    const wait = Math.max(...windows.map((window) => this.#wait(window, now)));
    if (wait > 0) return Math.ceil(wait / 1000);
    for (const { key, limit } of windows) {
      if (limit !== undefined) this.#times.set(key, [...(this.#times.get(key) ?? []), now].slice(-limit));
    }
    return 0;
  }

  /** Milliseconds until the oldest message of a full window has left it. */
  #wait({ key, limit, ms }: Window, now: number): number {
    const times = this.#times.get(key) ?? [];
    const oldest = times[0];
    return limit === undefined || oldest === undefined || times.length < limit ? 0 : oldest + ms - now;
  }
}
