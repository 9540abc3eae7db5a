import { describe, expect, it } from 'vitest';
import { startProxy } from './support/proxy.ts';
import { World } from './support/world.ts';

describe('two instances', () => {
  it('both send, and one alone writes statuses, until it is gone for hours', async () => {
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
});
