import { formatTime, parseTime } from '@hnotif/core/lifecycle';
import { identityOf, isRaw, type Raw } from '@hnotif/core/resources';

/** A Lease (`coordination.k8s.io/v1`) as leader election reads it. */
export interface Lease {
  readonly uid: string;
  readonly resourceVersion: string;
  /** When it was created, by the API server's clock (milliseconds since the epoch). */
  readonly createdAt: number;
  /** The leader; `''`: the Lease was released. */
  readonly holder: string;
  /** How long it is valid after a renewal (milliseconds); undefined: not set. */
  readonly durationMs: number | undefined;
  /** When it was acquired and renewed, by the holder's wall clock, as written; `''`: not set. */
  readonly acquireTime: string;
  readonly renewTime: string;
  /** How often it was acquired after its creation. */
  readonly transitions: number;
  /** The object as read. Other fields are written back unchanged. */
  readonly raw: Raw;
}

/** What the election writes. */
export type LeaseRecord = Pick<Lease, 'holder' | 'acquireTime' | 'renewTime' | 'transitions'> & {
  /** Whole seconds. */
  readonly durationMs: number;
};

/** Parses a Lease. Fields of a wrong type count as absent. */
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
 * A number that rises with each acquisition of a Lease: its creation time in seconds, then its transitions. It also rises when the Lease is
 * deleted and created again. A fencing token: what is stored with a term is protected from processes with a lower one.
 */
export type Term = number;

/** More than the transitions of one Lease. Terms stay safe integers for centuries. */
const SECOND = 2 ** 20;

export const termOf = ({ createdAt, transitions }: Pick<Lease, 'createdAt' | 'transitions'>): Term =>
  Math.floor(createdAt / 1000) * SECOND + transitions;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** The durations of leader election (milliseconds), client-go's by default. */
export interface LeaseTiming {
  /** How long others wait after the last renewal. Whole seconds. With a longer time, a killed leader is replaced later. */
  readonly leaseDurationMs: number;
  /** A leader that could not renew for this time has lost leadership. */
  readonly renewDeadlineMs: number;
  /** The time between two renewals, and between two reads of a standby. A shorter time costs the API server more. */
  readonly retryPeriodMs: number;
}

export const LEASE_TIMING: LeaseTiming = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
};

/** Waits have random jitter up to this factor, so that candidates do not come together. */
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

/** The Lease as last read, and since when it has not changed (our monotonic clock). */
export interface ObservedLease {
  readonly lease: Lease;
  readonly since: number;
}

/**
 * Notes what was read at `now` (monotonic milliseconds, after the answer). The times in a Lease come from other clocks: they show that it
 * was renewed, but not when.
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

/** What a candidate does next. It writes `transitions`. */
export type Step =
  | { readonly do: 'create'; readonly transitions: number }
  | { readonly do: 'take'; readonly lease: Lease; readonly transitions: number }
  /** Reads again after `ms` at the latest. */
  | { readonly do: 'wait'; readonly ms: number };

export interface Candidate {
  readonly identity: string;
  /** The duration of a Lease that has none (milliseconds). */
  readonly durationMs: number;
}

/**
 * A Lease is free if it never existed, was released, names us (we do not lead: an answer was lost, or we could not renew), or was not
 * renewed for its duration. A Lease that was deleted while held is waited for as if it existed: its holder may not know yet.
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
