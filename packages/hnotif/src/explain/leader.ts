import { groupedBy } from '@hnotif/core/grouped-by';
import type { Leader } from '@hnotif/core/page';
import type { Notification } from '@hnotif/core/resources';
import type { Lease } from '../cluster/lease.ts';
import { formatSeconds, parseTime } from '@hnotif/core/lifecycle';
import { ABANDONED_MS } from '../status/notification-state.ts';
import { durationInWords } from '../status/words.ts';

/** A Lease that was read, and where; undefined: there is none. */
export interface FoundLease {
  readonly namespace: string;
  readonly name: string;
  readonly lease: Lease;
}

const REMEDY = 'look at the pods of the Deployment and at their log';

/** Who leads. Several instances may serve the namespaces of a cluster, each with its own Lease. */
export interface Leaders {
  readonly in: (namespace: string) => Leader;
  /** Of all of them, the one that needs a look first. */
  readonly worst: Leader;
}

const WORST_FIRST: readonly Leader['state'][] = ['inactive', 'unknown', 'serving'];

/**
 * The leader of each namespace is that of the instances that wrote the statuses there. Where no instance has written one, any may serve.
 * `leases`: those found, or why they could not be read.
 */
export function leadersOf(
  notifications: readonly Notification[],
  leases: readonly FoundLease[] | string,
  now: number,
): Leaders {
  const any = leaderOf(leases, confirmedOf(notifications), now);
  const observed = notifications.filter(({ status }) => status.instance !== undefined);
  const leaders = new Map<string, Leader>();
  for (const [namespace, all] of groupedBy(observed, (each) => each.namespace)) {
    const names = new Set(all.map(({ status }) => status.instance));
    const own = typeof leases === 'string' ? leases : leases.filter(({ name }) => names.has(name));
    leaders.set(namespace, leaderOf(own, confirmedOf(all), now));
  }
  const [worst = any] = [...leaders.values()].sort(
    (a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state),
  );
  return { in: (namespace) => leaders.get(namespace) ?? any, worst };
}

/** When the newest status was confirmed. */
const confirmedOf = (all: readonly Notification[]): string | undefined =>
  all
    .map(({ status }) => status.observedAt ?? '')
    .sort()
    .at(-1);

/**
 * Who leads, and since when nothing was heard of it. `leases`: those found, or why they could not be read. `confirmed`: when the newest
 * status was confirmed (RFC 3339), which tells the same where a process runs without leader election.
 */
export function leaderOf(
  leases: readonly FoundLease[] | string,
  confirmed: string | undefined,
  now: number,
): Leader {
  const all = typeof leases === 'string' ? [] : leases;
  const [newest] = [...all].sort((a, b) => renewedAt(b.lease) - renewedAt(a.lease));
  return newest === undefined
    ? leaderByStatus(
        typeof leases === 'string' ? leases : 'there is no Lease, as without leader election',
        confirmed,
        now,
      )
    : leaderByLease(newest, now);
}

const renewedAt = ({ renewTime }: Lease): number => parseTime(renewTime) ?? 0;

function leaderByLease({ namespace, name, lease }: FoundLease, now: number): Leader {
  const where = `Lease ${name} in namespace ${namespace}`;
  const at = renewedAt(lease);
  const silence = durationInWords(now - at);
  if (lease.holder === '')
    return {
      state: 'inactive',
      message: `no instance is active: the ${where} was released ${silence} ago; ${REMEDY}`,
    };
  if (now - at > (lease.durationMs ?? 15_000))
    return {
      state: 'inactive',
      message: `no instance is active: ${lease.holder} has not renewed the ${where} for ${silence}; ${REMEDY}`,
    };
  const since = parseTime(lease.acquireTime);
  return {
    state: 'serving',
    message: `served by ${lease.holder}${since === undefined ? '' : ` since ${formatSeconds(since)}`}, last heard ${silence} ago`,
  };
}

function leaderByStatus(why: string, confirmed: string | undefined, now: number): Leader {
  const at = parseTime(confirmed ?? '');
  if (at === undefined)
    return {
      state: 'unknown',
      message: `it is not known whether an instance is active: ${why}, and no status was written; is hnotif installed, and does it watch this namespace?`,
    };
  const silence = durationInWords(now - at);
  return now - at > ABANDONED_MS
    ? {
        state: 'inactive',
        message: `no instance is active: no status was confirmed for ${silence}; ${REMEDY}`,
      }
    : { state: 'unknown', message: `the last status was confirmed ${silence} ago; ${why}` };
}
