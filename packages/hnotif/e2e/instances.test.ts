import { describe, expect, it } from 'vitest';
import { startProxy } from './support/proxy.ts';
import { ACCOUNT, deployRights } from '../../lab/src/rights.ts';
import { World } from './support/world.ts';

describe('two instances', () => {
  it('both send, but only one writes statuses, until it has been away for hours', async () => {
    const world = await World.start();
    await world.secret('n');
    await world.notification('n', { onEvents: ['Start'] });
    await world.plan('orders');
    const first = await world.synced();
    await world.status('n', ({ instance }) => instance === 'hnotif');
    const proxy = await startProxy(world.cluster.url);
    const options = { instance: 'trial', kubeconfig: await world.kubeconfig(proxy.url) };
    await world.synced({ ...options, recheckReadyMs: 50 });
    const line = await world.logged(/statuses are left to another instance/);
    expect(JSON.parse(line)).toMatchObject({ instance: 'hnotif', notification: 'team-a/n' });
    await world.hibernate('orders');
    const records = await world.received(2);
    expect(new Set(records.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await world.status('n', ({ sinks }) => sinks?.[0]?.lastSuccess !== undefined);
    const written = (): boolean => proxy.rights.some(({ resource }) => resource.endsWith('/status'));
    expect(written()).toBe(false);
    await first.stop();
    const old = new Date(Date.now() - 3 * 3_600_000).toISOString();
    await world.kube.patch(`${world.notificationPath('n')}/status`, { status: { observedAt: old } });
    const { observedAt = '' } = await world.status('n', ({ instance }) => instance === 'trial');
    expect([written(), Date.parse(observedAt) > Date.parse(old)]).toEqual([true, true]);
    expect(world.log.filter((each) => each.includes('statuses are left'))).toHaveLength(1);
  });

  it('with the rights of only one, the other names the name that its Role lacks', async () => {
    const world = await World.start({ cluster: { auth: true } });
    await deployRights(world);
    const user = `user: ${JSON.stringify({ token: world.cluster.users.token(ACCOUNT) })}`;
    const kubeconfig = await world.file('b', world.cluster.kubeconfig().replace('user: {}', user));
    const controller = await world.controller({ kubeconfig, instance: 'b', leaseNamespace: 'hnotif' });
    const remedy =
      /forbidden.*; the Role for the Lease in namespace hnotif .*hnotif-lease.* resourceNames: \[b\]/;
    const line = await world.logged(/Lease not read or written/);
    expect((JSON.parse(line) as { detail: string }).detail).toMatch(remedy);
    // The thread of the election reports this a moment after its line.
    await expect.poll(async () => (await fetch(`${controller.healthUrl}/readyz`)).text()).toMatch(remedy);
  });
});
