import type { Clock } from '../clock.ts';

/** `parked`: the receiver is down, or cannot be reached; `quarantined`: somebody has to mend the configuration. */
export type ParkKind = 'parked' | 'quarantined';

/** Why something waits, in the words of the last try. */
export interface Why {
  /** CamelCase reason of the receiver's table. */
  readonly reason: string;
  /** For a human, never with a credential. */
  readonly message: string;
}

/** Why a sink is parked. */
export interface Cause extends Why {
  readonly kind: ParkKind;
}

/**
 * A sink that is parked: everything that waits for it stays, and nothing is sent but one request now and then, the probe. It
 * begins with the wait for the first one.
 */
export class Park {
  cause: Cause;
  /** When it began (monotonic milliseconds). */
  readonly #began: number;
  readonly #clock: Clock;
  /** A probe has become due. */
  readonly #wake: () => void;
  /** Probes that found the sink no better. */
  #tries = 0;
  #nextAt = 0;
  #cancel: (() => void) | undefined;
  /** A reason to probe has come since the last probe began. */
  #hurried = false;

  constructor(clock: Clock, cause: Cause, waitMs: number, wake: () => void) {
    this.#clock = clock;
    this.cause = cause;
    this.#wake = wake;
    this.#began = clock.monotonic();
    this.#wait(waitMs);
  }

  /** Whether it is time for a probe. */
  get due(): boolean {
    return this.#cancel === undefined;
  }

  /** When the next probe is due: milliseconds since the epoch. */
  get nextAt(): number {
    return this.#nextAt;
  }

  get tries(): number {
    return this.#tries;
  }

  get forMs(): number {
    return this.#clock.monotonic() - this.#began;
  }

  /** A probe begins. */
  begun(): void {
    this.#hurried = false;
  }

  /** A probe has found the sink no better: the next one after so long, or now if there is a new reason for one. */
  again(cause: Cause, waitMs: number): void {
    this.cause = cause;
    this.#tries++;
    this.#wait(this.#hurried ? 0 : waitMs);
  }

  /** There is reason to believe that the sink is another one: a probe at once. */
  hurry(): void {
    this.#hurried = true;
    if (!this.due) this.#wait(0);
  }

  close(): void {
    this.#cancel?.();
  }

  #wait(ms: number): void {
    this.#cancel?.();
    this.#nextAt = this.#clock.now() + ms;
    this.#cancel = this.#clock.after(ms, () => {
      this.#cancel = undefined;
      this.#wake();
    });
  }
}
