import type { Clock } from '@hnotif/core/clock';

/** Smaller differences are ignored (milliseconds): the `Date` of an answer has whole seconds, and an answer takes time. */
const TOLERANCE_MS = 5_000;

/**
 * The API server's wall clock by the `Date` of its answers (RFC 9110, 6.6.1), to within some seconds. Between two answers it advances with
 * our monotonic clock. While our wall clock agrees with it, and before the first answer, our clock is used, since it is more exact.
 */
export class ServerClock implements Clock {
  readonly #clock: Clock;
  /** The offset of our monotonic clock; undefined: no date has come. */
  #offset: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the `Date` of an answer. Ignores invalid dates. */
  observe(date: unknown): void {
    const at = typeof date === 'string' ? Date.parse(date) : NaN;
    if (!Number.isFinite(at)) return;
    const offset = at + 500 - this.#clock.monotonic();
    // Small corrections are ignored, so that times do not jump back and forth.
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
