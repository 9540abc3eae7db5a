import type { Lease } from './lease.ts';

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
