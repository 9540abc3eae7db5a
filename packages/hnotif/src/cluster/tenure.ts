import type { Clock } from '../clock.ts';
import { leftOf, type Moment } from './lease-rules.ts';

/** How long we lead, unless it is renewed. `ended` is called once, in time, also while nobody asks. */
export class Tenure {
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #ended: () => void;
  #renewed: Moment | undefined;
  #over = false;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, deadlineMs: number, ended: () => void) {
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
    this.#ended = ended;
  }

  /**
   * Begins it, or makes it longer: a write that was sent at `sent` was answered. Once over it stays so. An answer that
   * came too late begins nothing.
   */
  renew(sent: Moment): void {
    const left = this.#left(sent);
    if (this.#over || (this.#renewed === undefined && left <= 0)) return;
    this.#renewed = sent;
    this.#cancel();
    if (left > 0) this.#cancel = this.#clock.after(left, this.#look);
    else this.#end();
  }

  /** Whether it has begun and is not over. Where its time has passed, it ends here and now. */
  holds(): boolean {
    if (this.#over || this.#renewed === undefined) return false;
    if (this.#left(this.#renewed) > 0) return true;
    this.#end();
    return false;
  }

  /** Ends it before its time. */
  stop(): void {
    this.#over = true;
    this.#cancel();
  }

  readonly #look = (): void => {
    // A timer may come a moment early.
    if (this.holds() && this.#renewed !== undefined) this.renew(this.#renewed);
  };

  #left(renewed: Moment): number {
    const now = { wall: this.#clock.now(), monotonic: this.#clock.monotonic() };
    return leftOf(renewed, now, this.#deadlineMs);
  }

  #end(): void {
    this.stop();
    this.#ended();
  }
}
