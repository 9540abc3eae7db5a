import { sleep, type Clock } from '@hnotif/core/clock';
import { Backoff } from './backoff.ts';
import { isUnanswered, type KubeError } from './error.ts';
import { LinkedSignal } from './linked-signal.ts';

/**
 * An answer ends an outage only after this time without an answer (milliseconds). While other requests are answered, a single one without
 * an answer is not an outage; it would be retried at each answer.
 */
const SILENCE_MS = 2_000;

/** Whether the API server is unavailable, as seen by all requests of a process. Waits for its return end with the first answer. */
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

  /** It answered a request successfully. */
  answered(): void {
    const now = this.#clock.monotonic();
    const isOver = this.#isAway && now - this.#answeredAt >= SILENCE_MS;
    this.#isAway = false;
    this.#answeredAt = now;
    if (!isOver) return;
    this.#ended++;
    // All at once: a process has about six of them, and five for each namespace of --watch-namespaces.
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

/** The waits between tries of one task, with backoff. */
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

  /** After a success. */
  reset(): void {
    this.#backoff.reset();
  }

  /** Waits after a failure. If the API server may be unavailable, the wait ends with the outage. */
  async wait(error: KubeError, signal: AbortSignal): Promise<void> {
    const { ended } = this.#outage;
    const isAway = mayBeAway(error);
    // After an outage a server may answer 403, 404 or 503 for a moment. That must not continue the backoff of the outage.
    if (ended !== this.#ended || (this.#wasAway && !isAway)) this.#backoff.reset();
    this.#ended = ended;
    this.#wasAway = isAway;
    const ms = this.#backoff.next(error.retryAfterMs);
    await (isAway ? this.#outage.wait(ms, signal) : sleep(this.#clock, ms, signal));
  }
}

/** Whether the server may be unavailable, starting or stopping, and did not say how long to wait. */
const mayBeAway = (error: KubeError): boolean =>
  isUnanswered(error) || ((error.status >= 500 || error.status === 429) && error.retryAfterMs === undefined);
