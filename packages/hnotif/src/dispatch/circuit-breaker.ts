import type { Moment } from '../clock.ts';

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

/** A time that the receiver named, and why. */
export interface Pause {
  readonly until: Moment;
  readonly why: Cause;
}

/**
 * The circuit of a sink is open: deliveries stay, and one request goes out from time to time, the probe. When a probe succeeds, the circuit
 * closes.
 */
export interface Parked<Probe> {
  readonly kind: 'parked';
  /** When the next probe is due. */
  readonly until: Moment;
  readonly why: CircuitCause;
  /** When the circuit opened (monotonic milliseconds). */
  readonly began: number;
  readonly failedProbes: number;
  /** The stream whose head is the probe in flight. */
  readonly probe: Probe | undefined;
  /** No probe begins before its end, and it goes on if the circuit closes. */
  readonly pause: Pause | undefined;
}

/** Whether a sink may send. `width`: attempts in flight at most; 1 after a pause and an open circuit, until a request has succeeded. */
export type Admission<Probe> =
  | { readonly kind: 'open'; readonly width: number }
  | ({ readonly kind: 'paused' } & Pause)
  | Parked<Probe>;
