import type { Clock } from '@hnotif/core/clock';
import { isExpired, isUnanswered, KubeError } from './error.ts';

/** A watch that was open for less than this is suspicious, however it ended (milliseconds). */
const SHORT_WATCH_MS = 1_000;
/** After this many watches without an event, only a list helps. */
const MAX_EMPTY_WATCHES = 2;

/**
 * Whether watches can be relied on. A server that cannot serve our version (it was restored, or cannot decode an object) and a proxy that
 * holds or cuts answers have the same symptom: watches without any event, not even a bookmark. Then a list is needed.
 */
export class WatchReliability {
  readonly #clock: Clock;
  #openedAt: number | undefined;
  #hasReceived = false;
  /** Watches in a row without an event since the last list. */
  #emptyWatches = 0;
  /** The last list was made at once because the version had expired. Since then no watch has lasted, and the server was available. */
  #relisted = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Everything was listed: the count of empty watches starts again. */
  listed(): void {
    this.#emptyWatches = 0;
  }

  /** A watch was requested. */
  requested(): void {
    this.#openedAt = undefined;
    this.#hasReceived = false;
  }

  opened(): void {
    this.#openedAt = this.#clock.monotonic();
  }

  /** An event or a bookmark has come. */
  eventReceived(): void {
    this.#hasReceived = true;
  }

  /** Whether the last watch was open for a good while. */
  get lasted(): boolean {
    return this.#openedAt !== undefined && this.#clock.monotonic() - this.#openedAt >= SHORT_WATCH_MS;
  }

  /** The last watch has ended; `error`: it failed. True: a list is needed. */
  needsListAfter(error?: unknown): boolean {
    if (this.lasted || isCutOff(error)) this.#relisted = false;
    if (this.#hasReceived) this.#emptyWatches = 0;
    else if (this.#openedAt !== undefined || isAnswerToThis(error)) this.#emptyWatches++;
    return this.#emptyWatches >= MAX_EMPTY_WATCHES;
  }

  /** Whether a watch may be opened again at once, as after the server's time-out: long connections break from time to time. */
  mayReopenAtOnce(error: unknown): boolean {
    return this.lasted && isCutOff(error);
  }

  /** Whether the list after an expired version (410) may be made at once. A version that expires right after a list is not normal. */
  mayRelistAtOnce(): boolean {
    const first = !this.#relisted;
    this.#relisted = true;
    return first;
  }
}

const isCutOff = (error: unknown): boolean => error instanceof KubeError && isUnanswered(error);

/**
 * Whether a reachable server refused this watch. A server that is unavailable, overloaded or does not authenticate us would only be
 * burdened by lists.
 */
function isAnswerToThis(error: unknown): boolean {
  if (!(error instanceof KubeError) || isExpired(error)) return false;
  return error.status >= 400 && ![401, 403, 408, 429].includes(error.status);
}
