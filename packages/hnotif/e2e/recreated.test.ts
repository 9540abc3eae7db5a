import { expect, it } from 'vitest';
import type { NotificationStatus } from '@hnotif/core/resources';
import { World } from './support/world.ts';

it('the status of a notification that is created again is never that of its predecessor', async () => {
  const world = await World.start();
  await world.secret('n');
  await world.notification('n', { onEvents: ['Start'] });
  await world.plan('orders');
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  world.cluster.faults.add({
    ...{ verb: 'patch', resource: 'hibernatenotifications/status', times: 1 },
    effect: { kind: 'delay', until },
  });
  await world.synced();
  await expect.poll(() => world.cluster.faults.hits).toBe(1);
  await world.kube.delete(world.notificationPath('n'));
  await world.notification('n', { onEvents: ['Start'], selector: { matchLabels: { team: 'other' } } });
  await world.status('n', ({ matched }) => matched === 0);
  release();
  const { status } = await world.kube.get(world.notificationPath('n'));
  expect((status as NotificationStatus).matched).toBe(0);
});
