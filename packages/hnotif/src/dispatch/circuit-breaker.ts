import type { Clock } from '../clock.ts';

/** `parked`: the receiver is down, or cannot be reached; `quarantined`: its configuration has to be corrected. */
export type BreakerKind = 'parked' | 'quarantined';

/** Why deliveries wait: the result of the last try. */
export interface Cause {
  /** CamelCase reason of the receiver's table. */
  readonly reason: string;
  /** For a person, without credentials. */
  readonly message: string;
}

/** Why a circuit is open. */
export interface CircuitCause extends Cause {
  readonly kind: BreakerKind;
}

/**
 * The open circuit of a sink: deliveries stay, and one request goes out from time to time, the probe. While a probe is due or in flight the
 * circuit is half open. The queue of the sink drops this object when a probe succeeds; then the circuit is closed.
 */
export class OpenCircuit {
  cause: CircuitCause;
  /** When it opened (monotonic milliseconds). */
  readonly #began: number;
  readonly #clock: Clock;
  /** A probe has become due. */
  readonly #wake: () => void;
  /** Probes that failed. */
  #tries = 0;
  #nextAt = 0;
  #cancel: (() => void) | undefined;
  /** There is a new reason for a probe since the last one began. */
  #hurried = false;

  /** The first probe is due after `waitMs`. */
  constructor(clock: Clock, cause: CircuitCause, waitMs: number, wake: () => void) {
    this.#clock = clock;
    this.cause = cause;
    this.#wake = wake;
    this.#began = clock.monotonic();
    this.#wait(waitMs);
  }

  /** Whether a probe is due. */
  get due(): boolean {
    return this.#cancel === undefined;
  }

  /** When the next probe is due (milliseconds since the epoch). */
  get nextAt(): number {
    return this.#nextAt;
  }

  get failedProbes(): number {
    return this.#tries;
  }

  get openForMs(): number {
    return this.#clock.monotonic() - this.#began;
  }

  /** A probe begins. */
  probeStarted(): void {
    this.#hurried = false;
  }

  /** A probe has failed. The next one is due after `waitMs`, or now if there is a new reason. */
  probeFailed(cause: CircuitCause, waitMs: number): void {
    this.cause = cause;
    this.#tries++;
    this.#wait(this.#hurried ? 0 : waitMs);
  }

  /** The configuration may have changed: a probe is due now. */
  probeNow(): void {
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
