import { sleep, type Clock } from '../clock.ts';
import { Backoff } from './backoff.ts';
import { isUnanswered, type KubeError } from './error.ts';
import { LinkedSignal } from './linked-signal.ts';

/**
 * A request that is answered ends an outage only after so long without one (milliseconds): where others are answered all the time
 * one that is not is no outage, and would be tried as often as they are answered.
 */
const SILENCE_MS = 2_000;

/**
 * Whether the API server is away, as all requests of a process see it, and the waits for its return: they end with the first
 * request that is answered again.
 */
export class Outage {
  readonly #clock: Clock;
  readonly #waits = new Set<LinkedSignal>();
  #answeredAt = -Infinity;
  #isAway = false;
  #ended = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the last request had no answer. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** How many outages have ended. */
  get ended(): number {
    return this.#ended;
  }

  /** The API server could not be reached, or gave no answer in time. */
  unanswered(): void {
    this.#isAway = true;
  }

  /** It did what was asked for. */
  answered(): void {
    const now = this.#clock.monotonic();
    const isOver = this.#isAway && now - this.#answeredAt >= SILENCE_MS;
    this.#isAway = false;
    this.#answeredAt = now;
    if (!isOver) return;
    this.#ended++;
    // All at once: one process in a cluster has some six of them.
    for (const wait of this.#waits) wait.abort();
  }

  /** Resolves after `ms` milliseconds, when an outage ends, or when `signal` aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const link = new LinkedSignal(signal);
    this.#waits.add(link);
    await sleep(this.#clock, ms, link.signal);
    this.#waits.delete(link);
    link.release();
  }
}

/** The waits of one who asks for the same thing until it is given, with backoff. */
export class Retries {
  readonly #clock: Clock;
  readonly #outage: Outage;
  readonly #backoff: Backoff;
  #wasAway = false;
  #ended = 0;

  constructor(clock: Clock, outage: Outage) {
    this.#clock = clock;
    this.#outage = outage;
    this.#backoff = new Backoff(clock);
  }

  /** After a failure. One that an outage explains is over with it; what the API server has answered stays as it is. */
  async wait(error: KubeError, signal: AbortSignal): Promise<void> {
    const { ended } = this.#outage;
    const isAway = mayBeAway(error);
    // A server that has come back answers 403, 404 or 503 for a moment: that is no reason to wait as long as it was away.
    if (ended !== this.#ended || (this.#wasAway && !isAway)) this.#backoff.reset();
    this.#ended = ended;
    this.#wasAway = isAway;
    const ms = this.#backoff.next(error.retryAfterMs);
    await (isAway ? this.#outage.wait(ms, signal) : sleep(this.#clock, ms, signal));
  }
}

/** Whether it comes of a server that is away, or that comes or goes, and has not said how long to wait. */
const mayBeAway = (error: KubeError): boolean =>
  isUnanswered(error) || ((error.status >= 500 || error.status === 429) && error.retryAfterMs === undefined);
