import { expect, it } from 'vitest';
import { poll, succeed, type OperatorStatus } from '@hnotif/core/lifecycle';
import { eventually } from '../../core/src/testing/eventually.ts';
import { ALL } from '../../lab/src/nights.ts';
import { inWords, NAMESPACE, World } from './support/world.ts';

it('after a restore from a backup nothing of the past is sent again; what the operator does then is sent', async () => {
  const world = await World.start();
  await world.secret('n');
  await world.notification('n', { onEvents: ALL });
  for (const plan of ['orders', 'second']) await world.plan(plan);
  const controller = await world.synced();
  for (const plan of ['orders', 'second']) await world.hibernate(plan);
  await world.received(4);
  const restore = world.cluster.backup();
  const atBackup = await world.kube.get(world.planPath('orders'));
  world.now = () => Date.now() + 60_000;
  for (const plan of ['orders', 'second']) await world.succeeds(plan);
  const before = await world.received(10);
  expect(new Set(before.map(({ id }) => id)).size).toBe(10);

  await restore();
  const { status } = await eventually(() => world.kube.get(world.planPath('orders')));
  expect(status).toEqual(atBackup.status);
  await world.logged(/"plan":"team-a\/(orders|second)".*restored from a backup/);
  await expect
    .poll(async () => (await world.kube.get(`/api/v1/namespaces/${NAMESPACE}/events`)).items)
    .toContainEqual(
      expect.objectContaining({
        reason: 'OlderStateSeen',
        involvedObject: expect.objectContaining({ kind: 'HibernateNotification', name: 'n' }) as unknown,
      }),
    );

  // The operator continues from the backup.
  world.now = () => Date.now() + 120_000;
  await world.write('orders', (_, at) =>
    poll(status as OperatorStatus, [{ target: 'db', state: 'Completed' }], at),
  );
  await world.write('orders', succeed);
  const after = (await world.received(13)).slice(10);
  expect(after.map(inWords)).toEqual([
    'ExecutionProgress db Completed',
    'Success',
    'PhaseChange Hibernating Hibernated',
  ]);
  await expect.poll(() => controller.totals()).toMatchObject({ delivered: 13, dropped: 0, failed: 0 });
});
