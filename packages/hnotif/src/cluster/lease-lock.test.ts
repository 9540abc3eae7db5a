import { expect, test } from 'vitest';
import { ManualClock } from '../../../core/src/testing/clock.ts';
import { KubeError } from './error.ts';
import { LeaseHolder } from './lease-lock.ts';

test('a renewal that made a new Lease renews nothing, since the old one may have been free for others', async () => {
  const clock = new ManualClock();
  const lease = (uid: string, object: object) => ({ ...object, metadata: { uid, resourceVersion: '1' } });
  const client = {
    get: () => Promise.reject(new Error('nobody reads')),
    create: (_: unknown, __: unknown, object: object) => Promise.resolve(lease('u', object)),
    update: (_: unknown, __: unknown, ___: unknown, object: object) => Promise.resolve(lease('v', object)),
  };
  const lock = { namespace: 'n', name: 'hnotif', identity: 'a', leaseDurationMs: 15_000 };
  const holder = new LeaseHolder({ ...lock, client, clock, timeoutMs: 5_000 });
  const { signal } = new AbortController();
  await holder.take({ do: 'create', transitions: 0 }, signal);
  expect(await holder.renew(signal)).toBe('it was deleted');
  expect(clock.timers).toBe(0);
});

test('other fields of a Lease that was changed stay, and no request waits for the rate limit of the client', async () => {
  const clock = new ManualClock();
  const metadata = { uid: 'u', resourceVersion: '2', labels: { team: 'platform' } };
  let there: Record<string, unknown> = {};
  const limits: unknown[] = [];
  const client = {
    get: (...[, , , options]: readonly unknown[]) => {
      limits.push(options);
      return Promise.resolve(there);
    },
    create: (...[, , object, options]: readonly unknown[]) => {
      limits.push(options);
      const { spec } = object as { spec: object };
      // Another client writes right after us.
      there = { metadata, spec: { ...spec, strategy: 'OldestEmulationVersion' } };
      return Promise.resolve({ spec, metadata: { ...metadata, resourceVersion: '1' } });
    },
    update: (...[, , , object, options]: readonly unknown[]) => {
      limits.push(options);
      const written = object as Record<string, unknown>;
      const { resourceVersion } = written.metadata as typeof metadata;
      if (resourceVersion !== '2') return Promise.reject(new KubeError(409, 'Conflict', 'it was modified'));
      there = written;
      return Promise.resolve(written);
    },
  };
  const lock = { namespace: 'n', name: 'hnotif', identity: 'a', leaseDurationMs: 15_000 };
  const holder = new LeaseHolder({ ...lock, client, clock, timeoutMs: 5_000 });
  const { signal } = new AbortController();
  await holder.take({ do: 'create', transitions: 0 }, signal);
  await clock.advance(2_000);
  expect(await holder.renew(signal)).toHaveProperty('lease');
  expect(there).toMatchObject({
    metadata: { labels: metadata.labels },
    spec: {
      ...{ holderIdentity: 'a', strategy: 'OldestEmulationVersion' },
      renewTime: expect.stringContaining(':02.') as string,
    },
  });
  expect(limits).toEqual(Array<object>(4).fill(expect.objectContaining({ unlimited: true }) as object));
});
