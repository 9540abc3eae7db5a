import { expect, it } from 'vitest';
import { Kube } from '../../lab/src/kube.ts';
import { collection, notificationObject } from '../../lab/src/objects.ts';
import { deployed, RBAC } from '../../lab/src/rights.ts';
import { NAMESPACE, World } from './support/world.ts';

it('a tenant with the roles of deploy/ writes notifications, and has no access to journals', async () => {
  const world = await World.start({ cluster: { tls: true, auth: true } });
  const { kube, cluster } = world;
  const roles = await deployed('tenant-roles.yaml');
  for (const role of roles) {
    const { name, labels } = role.metadata as unknown as { name: string; labels: Record<string, string> };
    const into = name.replace(/^hnotif-/, '');
    expect(labels).toEqual({ [`rbac.authorization.k8s.io/aggregate-to-${into}`]: 'true' });
    await kube.post(`${RBAC}/clusterroles`, role);
    await kube.post(`${RBAC}/namespaces/${NAMESPACE}/rolebindings`, {
      metadata: { name },
      subjects: [{ kind: 'User', name: 'tenant' }],
      roleRef: { kind: 'ClusterRole', name },
    });
  }
  const own = new Kube(cluster.url, { ca: cluster.ca, token: cluster.users.token('tenant') });
  const notifications = collection(NAMESPACE, 'hibernatenotifications');
  await own.post(notifications, notificationObject('mine', { onEvents: ['Start'] }));
  await own.patch(`${notifications}/mine`, { spec: { onEvents: ['Success'] } });
  expect((await own.get(notifications)).items).toHaveLength(1);
  await own.delete(`${notifications}/mine`);
  const journals = collection(NAMESPACE, 'hibernatenotificationjournals');
  await expect(own.get(journals)).rejects.toThrow(/ 403 .*cannot list/);
  await expect(own.patch(`${journals}/any`, { spec: {} })).rejects.toThrow(/ 403 .*cannot patch/);
  await expect(own.post(journals, {})).rejects.toThrow(/ 403 .*cannot create/);
});
