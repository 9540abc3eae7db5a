import type { Clock } from '../clock.ts';

/** The `Date` of an answer has whole seconds, and an answer takes its time: what is no further off is no other time (milliseconds). */
const TOLERANCE_MS = 5_000;

/**
 * The API server's wall clock, as the `Date` of its answers tells it (RFC 9110, 6.6.1), to within some seconds. Between two answers it
 * goes by our monotonic clock. Where our own wall clock agrees with it, that one is taken, being more exact; so it is until the first
 * answer.
 */
export class ServerClock implements Clock {
  readonly #clock: Clock;
  /** What our monotonic clock lacks; undefined: no answer has told its date. */
  #offset: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The `Date` of an answer that has just come. Something else than a date tells nothing. */
  observe(date: unknown): void {
    const at = typeof date === 'string' ? Date.parse(date) : NaN;
    if (!Number.isFinite(at)) return;
    const offset = at + 500 - this.#clock.monotonic();
    // Times that are told one after the other should not go back and forth by less than a second.
    if (this.#offset === undefined || Math.abs(offset - this.#offset) > TOLERANCE_MS) this.#offset = offset;
  }

  now(): number {
    const own = this.#clock.now();
    if (this.#offset === undefined) return own;
    const theirs = Math.round(this.#clock.monotonic() + this.#offset);
    return Math.abs(own - theirs) <= TOLERANCE_MS ? own : theirs;
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  random(): number {
    return this.#clock.random();
  }

  after(ms: number, run: () => void): () => void {
    return this.#clock.after(ms, run);
  }
}
