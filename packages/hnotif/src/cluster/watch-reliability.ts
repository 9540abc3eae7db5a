import type { Clock } from '../clock.ts';
import { isExpired, isUnanswered, KubeError } from './error.ts';

/** A watch that was open for so short a time shows that something is wrong, whatever it ended with. */
const SHORT_WATCH_MS = 1_000;
/** One watch without a word may be an accident. The next one would be the third. */
const MAX_EMPTY_WATCHES = 2;

/**
 * Whether watches can still be relied on to bring what comes after the version that we know. A version that the
 * server cannot serve (it was restored, or stumbles over what it has stored), and a proxy that keeps or cuts answers,
 * show in watches that bring nothing, not even a bookmark; a list then shows what they kept from us.
 */
export class WatchReliability {
  readonly #clock: Clock;
  #openedAt: number | undefined;
  #hasReceived = false;
  /** Watches in a row, since the last list, that told nothing. */
  #emptyWatches = 0;
  /** The last list was made at once, since the version had gone; no watch has lasted since, and the server was not away. */
  #relisted = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Everything has been listed: the watches from now on are judged by themselves. */
  listed(): void {
    this.#emptyWatches = 0;
  }

  /** A watch is asked for. */
  requested(): void {
    this.#openedAt = undefined;
    this.#hasReceived = false;
  }

  opened(): void {
    this.#openedAt = this.#clock.monotonic();
  }

  /** An event has come, a bookmark among them. */
  eventReceived(): void {
    this.#hasReceived = true;
  }

  /** Whether the last watch was open for a good while. */
  get lasted(): boolean {
    return this.#openedAt !== undefined && this.#clock.monotonic() - this.#openedAt >= SHORT_WATCH_MS;
  }

  /** The last watch is over; `error` when it failed. True: only a list is to be believed now. */
  needsListAfter(error?: unknown): boolean {
    if (this.lasted || isCutOff(error)) this.#relisted = false;
    if (this.#hasReceived) this.#emptyWatches = 0;
    else if (this.#openedAt !== undefined || isAnswerToThis(error)) this.#emptyWatches++;
    return this.#emptyWatches >= MAX_EMPTY_WATCHES;
  }

  /** Whether the watch that ended so may be opened again at once, as after the server's time-out: connections that last break now and then. */
  mayReopenAtOnce(error: unknown): boolean {
    return this.lasted && isCutOff(error);
  }

  /**
   * Whether the list that an expired version (410) asks for may be made at once: that versions go is the way of
   * things, but not as soon as they are listed.
   */
  mayRelistAtOnce(): boolean {
    const first = !this.#relisted;
    this.#relisted = true;
    return first;
  }
}

const isCutOff = (error: unknown): boolean => error instanceof KubeError && isUnanswered(error);

/**
 * Whether a server that could be reached refused this watch. One that is away, has no time or does not know us says
 * nothing of it, and would only be burdened by lists.
 */
function isAnswerToThis(error: unknown): boolean {
  if (!(error instanceof KubeError) || isExpired(error)) return false;
  return error.status >= 400 && ![401, 403, 408, 429].includes(error.status);
}
