import { formatTime, parseTime } from '../lifecycle/time.ts';
import { identityOf, isRaw, type Raw } from './objects.ts';

/** What a Lease says, as leader election reads it (`coordination.k8s.io/v1`). */
export interface Lease {
  readonly uid: string;
  readonly resourceVersion: string;
  /** When it was made, by the API server's clock (milliseconds since the epoch). */
  readonly createdAt: number;
  /** The leader; `''`: there is none, the Lease was given back. */
  readonly holder: string;
  /** How long its holder may be silent (milliseconds); undefined where it does not say. */
  readonly durationMs: number | undefined;
  /** When it was acquired and renewed, by the holder's wall clock, as written; `''` where it does not say. */
  readonly acquireTime: string;
  readonly renewTime: string;
  /** How often it was acquired after it was made. */
  readonly transitions: number;
  /** The object as read: what is not ours goes back as it came. */
  readonly raw: Raw;
}

/** What election writes. */
export type LeaseRecord = Pick<Lease, 'holder' | 'acquireTime' | 'renewTime' | 'transitions'> & {
  /** Whole seconds: the API knows no others. */
  readonly durationMs: number;
};

/** Reads a Lease. Fields of a wrong type, which the API server does not let pass, read as absent. */
export function parseLease(raw: unknown): Lease {
  const object = isRaw(raw) ? raw : {};
  const metadata = isRaw(object.metadata) ? object.metadata : {};
  const spec = isRaw(object.spec) ? object.spec : {};
  const { uid, resourceVersion } = identityOf(object);
  const seconds = numberOf(spec.leaseDurationSeconds);
  return {
    ...{ uid, resourceVersion },
    createdAt: parseTime(textOf(metadata.creationTimestamp)) ?? 0,
    holder: textOf(spec.holderIdentity),
    durationMs: seconds === undefined ? undefined : seconds * 1000,
    acquireTime: textOf(spec.acquireTime),
    renewTime: textOf(spec.renewTime),
    transitions: numberOf(spec.leaseTransitions) ?? 0,
    raw: object,
  };
}

/** The fields of a Lease's `spec`. */
export const specOf = (record: LeaseRecord): Raw => ({
  holderIdentity: record.holder,
  leaseDurationSeconds: Math.round(record.durationMs / 1000),
  acquireTime: record.acquireTime,
  renewTime: record.renewTime,
  leaseTransitions: record.transitions,
});

/** RFC 3339 in UTC with microseconds, as Kubernetes' `MicroTime` has them. `at` is in milliseconds since the epoch. */
export const formatMicros = (at: number): string => formatTime(at).replace('Z', '000Z');

/**
 * A number that is higher with each acquisition of a Lease, and higher again for a Lease that was deleted and made
 * anew, whose transitions begin again: its creation in seconds, then its transitions. What is stored with a term is
 * fenced by it.
 */
export type Term = number;

/** More transitions than a second has; the terms of centuries are integers that a number holds. */
const SECOND = 2 ** 20;

export const termOf = ({ createdAt, transitions }: Pick<Lease, 'createdAt' | 'transitions'>): Term =>
  Math.floor(createdAt / 1000) * SECOND + transitions;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** The durations of leader election (milliseconds), client-go's by default. */
export interface LeaseTiming {
  /** So long others wait for a leader that is silent. Whole seconds. Longer: a killed leader is followed later. */
  readonly leaseDurationMs: number;
  /** A leader that could not renew for so long has lost leadership. */
  readonly renewDeadlineMs: number;
  /** Between two renewals, and between two looks of a standby. Shorter costs the API server. */
  readonly retryPeriodMs: number;
}

export const LEASE_TIMING: LeaseTiming = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
};

/** Waits are lengthened by chance up to this factor, so that candidates do not come at once. */
export const RETRY_JITTER = 1.2;

/** What is wrong with the timing, by the names of the flags; undefined when nothing is. */
export function timingFault({
  leaseDurationMs,
  renewDeadlineMs,
  retryPeriodMs,
}: LeaseTiming): string | undefined {
  if (leaseDurationMs < 1000 || leaseDurationMs % 1000 !== 0)
    return '--lease-duration must be whole seconds, at least 1s';
  if (leaseDurationMs <= renewDeadlineMs)
    return '--lease-duration must be longer than --renew-deadline, else two could lead at once';
  if (retryPeriodMs <= 0) return '--retry-period must be above 0';
  if (renewDeadlineMs <= RETRY_JITTER * retryPeriodMs)
    return `--renew-deadline must be longer than ${RETRY_JITTER} times --retry-period, else the Lease would be lost between two renewals`;
  return undefined;
}

/** The Lease as it was last read, and since when (by our monotonic clock) it has said the same. */
export interface ObservedLease {
  readonly lease: Lease;
  readonly since: number;
}

/**
 * Notes what was read at `now` (monotonic, milliseconds; taken after the answer came). The times within a Lease are
 * of other clocks: they tell that it was renewed, never when.
 */
export function observeLease(before: ObservedLease | undefined, lease: Lease, now: number): ObservedLease {
  const since = before !== undefined && saysTheSame(before.lease, lease) ? before.since : now;
  return { lease, since };
}

const saysTheSame = (a: Lease, b: Lease): boolean =>
  a.uid === b.uid &&
  a.holder === b.holder &&
  a.durationMs === b.durationMs &&
  a.acquireTime === b.acquireTime &&
  a.renewTime === b.renewTime &&
  a.transitions === b.transitions;

/** What a candidate does next. `transitions` is what it writes. */
export type Step =
  | { readonly do: 'create'; readonly transitions: number }
  | { readonly do: 'take'; readonly lease: Lease; readonly transitions: number }
  /** Looks again, after so long at the latest. */
  | { readonly do: 'wait'; readonly ms: number };

export interface Candidate {
  readonly identity: string;
  /** How long a holder that does not say may be silent (milliseconds). */
  readonly durationMs: number;
}

/**
 * Whether the Lease is free: it is there no more, or was released, or names ourselves (who do not lead: the answer to a
 * write of ours was lost, or we led and could not renew), or its holder has been silent for as long as it said. One
 * that was deleted while it was held is waited for as if it were there: its holder may not know yet.
 */
export function candidateStep(
  { identity, durationMs }: Candidate,
  seen: ObservedLease | undefined,
  isThere: boolean,
  now: number,
): Step {
  if (seen === undefined) return { do: 'create', transitions: 0 };
  const { lease, since } = seen;
  const free = lease.holder === '' || lease.holder === identity;
  const left = free ? 0 : since + (lease.durationMs ?? durationMs) - now;
  if (left > 0) return { do: 'wait', ms: left };
  const transitions = lease.transitions + 1;
  return isThere ? { do: 'take', lease, transitions } : { do: 'create', transitions };
}
