import { expect, it } from 'vitest';
import { parseLease } from '../cluster/lease.ts';
import { aNotification } from '../../../core/src/testing/notifications.ts';
import { leaderOf, leadersOf } from './leader.ts';

const NOW = Date.parse('2026-01-05T20:00:00Z');
const before = (seconds: number): string => new Date(NOW - seconds * 1_000).toISOString();
const lease = (holder: string, renewed: number, namespace = 'hnotif') => ({
  ...{ namespace, name: 'hnotif' },
  lease: parseLease({
    spec: {
      ...{ holderIdentity: holder, leaseDurationSeconds: 15 },
      ...{ acquireTime: before(600), renewTime: before(renewed) },
    },
  }),
});

it.each([
  [
    [lease('pod-a', 2)],
    undefined,
    'serving',
    'served by pod-a since 2026-01-05T19:50:00Z, last heard 2 s ago',
  ],
  [
    [lease('pod-a', 240)],
    undefined,
    'inactive',
    'no instance is active: pod-a has not renewed the Lease hnotif in namespace hnotif for 4 min; look at the pods of the Deployment and at their log',
  ],
  [
    [lease('', 30)],
    before(20),
    'inactive',
    'no instance is active: the Lease hnotif in namespace hnotif was released 30 s ago; look at the pods of the Deployment and at their log',
  ],
  // An old installation has left its Lease behind.
  [[lease('pod-old', 9_000, 'old'), lease('pod-a', 1)], undefined, 'serving', 'served by pod-a'],
  // Another clock is ahead.
  [[lease('pod-a', -30)], undefined, 'serving', 'last heard 0 s ago'],
  [[], before(60), 'unknown', 'the last status was confirmed 60 s ago; there is no Lease'],
  ['you may not read Leases', before(60), 'unknown', '60 s ago; you may not read Leases'],
  [
    'you may not read Leases',
    before(7_300),
    'inactive',
    'no instance is active: no status was confirmed for 2 h',
  ],
  [[], undefined, 'unknown', 'it is not known whether an instance is active: there is no Lease'],
] as const)('%#: %j', (leases, confirmed, state, message) => {
  const leader = leaderOf(leases, confirmed, NOW);
  expect(leader.state).toBe(state);
  expect(leader.message).toContain(message);
});

it('each namespace has the leader of its instance; where no instance has written a status, any may serve', () => {
  const of = (name: string, renewed: number) => ({ ...lease(`${name}-1`, renewed), name });
  const by = (namespace: string, instance?: string) =>
    aNotification({ namespace, status: { ...(instance && { instance }), observedAt: before(7_300) } });
  const all = [by('search', 'search'), by('payments', 'payments'), by('new')];
  const states = (leases: Parameters<typeof leadersOf>[1]) => {
    const leaders = leadersOf(all, leases, NOW);
    return [...['payments', 'search', 'new'].map(leaders.in), leaders.worst].map(({ state }) => state);
  };
  expect(states([of('payments', 7_200), of('search', 2)])).toEqual([
    'inactive',
    'serving',
    'serving',
    'inactive',
  ]);
  expect(states([of('payments', 1), of('search', 2)])).toEqual(Array(4).fill('serving'));
  expect(states('you may not read Leases')).toEqual(Array(4).fill('inactive'));
});
