import type { Clock } from '../../clock.ts';
import type { Outcome } from '../outcome.ts';
import { type Rate, takeFree } from '../rate.ts';
import { pauseOf } from '../retry.ts';
import type { SinkSettings } from '../deps.ts';
import type { Attempt } from '../sink.ts';

/** A request whose tokens were taken by others looks again after this time, or up to twice as long (milliseconds). */
const TOKENS_MS = 2_000;
/** If no token is free for this time (milliseconds), one delivery queues for it. */
const LONGEST_WAIT_MS = 10_000;

const TOKENS_WAIT = {
  reason: 'RateLimited',
  message: 'the reply waits for the rate limit of the chat; the board shows the event meanwhile',
};

/** The requests of a board's deliveries. Each needs its own tokens: most deliveries make no request. */
export class BoardRequests {
  readonly #rates: readonly Rate[];
  readonly #owner: string;
  readonly #limits: SinkSettings['rateLimits'];
  readonly #clock: Clock;
  /** Since when no token was free (monotonic milliseconds); undefined: one was. */
  #starvedSince: number | undefined;
  #isQueued = false;

  constructor(rates: readonly Rate[], owner: string, limits: SinkSettings['rateLimits'], clock: Clock) {
    this.#rates = rates;
    this.#owner = owner;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Runs one request, if it gets its tokens. */
  async make<T>(attempt: Attempt, run: (attempt: Attempt) => Promise<T>): Promise<T | Outcome> {
    if (!(await this.#take(attempt.signal)))
      return { kind: 'wait', forMs: TOKENS_MS * (1 + this.#clock.random()), why: TOKENS_WAIT };
    let isUsed = false;
    const slot = async (): Promise<boolean> => (isUsed = await attempt.slot());
    const result = await run({ ...attempt, slot });
    if (!isUsed) this.#limits.giveBack(this.#rates);
    return result;
  }

  /** The chat throttles: updates of the board pause, too. */
  paused(outcome: Outcome): Outcome {
    if (outcome.kind !== 'throttled') return outcome;
    for (const { key } of this.#rates) this.#limits.pause(key, pauseOf(outcome.retryAfterMs));
    return outcome;
  }

  /** Takes the tokens of one request: those that are free, or its turn among the sinks that wait. */
  async #take(signal: AbortSignal): Promise<boolean> {
    const asker = { owner: this.#owner };
    if (await takeFree(this.#limits, this.#rates, asker)) {
      this.#starvedSince = undefined;
      return true;
    }
    this.#starvedSince ??= this.#clock.monotonic();
    if (this.#isQueued || this.#clock.monotonic() - this.#starvedSince < LONGEST_WAIT_MS) return false;
    this.#isQueued = true;
    const isTaken = await this.#limits.take(this.#rates, { ...asker, signal });
    this.#isQueued = false;
    return isTaken;
  }
}
