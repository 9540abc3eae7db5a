import { describe, expect, it } from 'vitest';
import type { ConnectorPolicy } from '@hnotif/core/resources';
import type { KubeObject } from '../../lab/src/kube.ts';
import { contextOf, GROUP, NAMESPACE, World } from './support/world.ts';

/** A plan whose target is in a connector of another tenant; what a message says of it, and the controller's Events. */
async function told(
  policy: ConnectorPolicy,
): Promise<{ account: unknown; events: () => Promise<unknown[]> }> {
  const world = await World.start();
  await world.addNamespace('team-b');
  await world.kube.post(`/apis/${GROUP}/v1alpha1/namespaces/team-b/cloudproviders`, {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'CloudProvider',
    metadata: { name: 'aws' },
    spec: { type: 'aws', aws: { accountId: '210987654321', region: 'eu-west-1' } },
  });
  const connectorRef = { kind: 'CloudProvider', name: 'aws', namespace: 'team-b' };
  await world.secret('n');
  await world.notification('n', { onEvents: ['Success'] });
  await world.plan('orders', [], { spec: { targets: [{ name: 'db', type: 'rds', connectorRef }] } });
  const { metricsUrl } = await world.synced({ crossNamespaceConnectors: policy });
  // Connectors come when they come.
  const listed = /^hnotif_lists_total\{resource="cloudproviders"\} 1$/m;
  while (!listed.test(await (await fetch(`${metricsUrl}/metrics`)).text()));
  await world.hibernate('orders');
  await world.succeeds('orders');
  const [record] = await world.received(1);
  return {
    account: record && contextOf(record).targets?.[0]?.connector.accountId,
    events: async () => {
      const { items } = await world.kube.get(`/api/v1/namespaces/${NAMESPACE}/events`);
      return (items as KubeObject[]).map(({ reason }) => reason);
    },
  };
}

describe('a connector of another namespace', () => {
  it('is shown if that is permitted, which is the default', async () => {
    expect((await told('all')).account).toBe('210987654321');
    expect((await told(['team-b'])).account).toBe('210987654321');
  });

  it('is not shown if it is not permitted, and an Event of the notification says why', async () => {
    const { account, events } = await told('none');
    expect(account ?? '').toBe('');
    await expect.poll(events).toEqual(['ConnectorNotPermitted']);
  });
});
