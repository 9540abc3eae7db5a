import type { Moment } from '@hnotif/core/clock';
import type { Cause, ReadySink } from '@hnotif/core/sinks';

/** `parked`: the receiver is down, or cannot be reached; `quarantined`: its configuration has to be corrected. */
export type BreakerKind = 'parked' | 'quarantined';

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

/** The time that the receiver named; undefined: none, or it is over at `now` (monotonic milliseconds). */
export function pauseOf(admission: Admission<unknown>, now: number): Pause | undefined {
  if (admission.kind === 'open') return undefined;
  const pause = admission.kind === 'paused' ? admission : admission.pause;
  return pause !== undefined && pause.until.monotonic > now ? pause : undefined;
}

export const later = (one: Moment, other = one): Moment => (one.monotonic > other.monotonic ? one : other);

/** What a stream does. */
export type StreamState =
  /** It has nothing to send. */
  | { readonly kind: 'idle' }
  /** It waits for its turn. */
  | { readonly kind: 'queued' }
  /** An attempt is in flight. */
  | { readonly kind: 'busy' }
  /** It waits for a time. `mayEnd`: the wait may end earlier. `why`: its head fails while others arrive. `isSuspended`: its notification is suspended. */
  | {
      readonly kind: 'held';
      readonly until: Moment;
      readonly mayEnd: boolean;
      readonly why: Cause | undefined;
      readonly isSuspended: boolean;
      readonly cancel: () => void;
    };

export const IDLE: StreamState = { kind: 'idle' };
export const QUEUED: StreamState = { kind: 'queued' };
export const BUSY: StreamState = { kind: 'busy' };

/** Where an attempt is. */
export type Stage =
  /** It reads the configuration, or the sink makes the message. */
  | { readonly kind: 'preparing' }
  /** It waits for a token of each bucket of the sink. */
  | { readonly kind: 'tokens'; readonly sink: Pick<ReadySink, 'rates' | 'coalescesProgress'> }
  /** The message is made. It waits for a request slot of the origin. */
  | { readonly kind: 'slot'; readonly origin: string }
  /** The sink may not send now. */
  | { readonly kind: 'refused' }
  /** The request is in flight. `ready`: when its message was made (monotonic milliseconds). */
  | { readonly kind: 'request'; readonly origin: string; readonly ready: number; readonly sent: number };

export const PREPARING: Stage = { kind: 'preparing' };
