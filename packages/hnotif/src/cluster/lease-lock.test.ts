import { expect, test } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { LeaseHolder, LeaseStore } from './lease-lock.ts';

test('a renewal that made a new Lease renews nothing, since the old one may have been free for others', async () => {
  const clock = new ManualClock();
  const lease = (uid: string, object: object) => ({ ...object, metadata: { uid, resourceVersion: '1' } });
  const client = {
    get: () => Promise.reject(new Error('nobody reads')),
    create: (_: unknown, __: unknown, object: object) => Promise.resolve(lease('u', object)),
    update: (_: unknown, __: unknown, ___: unknown, object: object) => Promise.resolve(lease('v', object)),
  };
  const store = new LeaseStore({ client, clock, namespace: 'n', name: 'hnotif', timeoutMs: 5_000 });
  const holder = new LeaseHolder({ store, clock, identity: 'a', leaseDurationMs: 15_000 });
  const { signal } = new AbortController();
  await holder.take({ do: 'create', transitions: 0 }, signal);
  expect(await holder.renew(signal)).toBe('it was deleted');
  expect(clock.timers).toBe(0);
});
