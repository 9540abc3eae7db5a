import { expect, it } from 'vitest';
import { crds } from '@hnotif/core/resources';
import { command, asked } from './support/command.ts';
import { applyRights, deployed, RBAC } from '../../lab/src/rights.ts';
import { GROUP, NAMESPACE, World } from './support/world.ts';

const OTHER = 'hibernateplans.v1alpha1.hibernator.ardikabs.com';

it('the commands know the plan resource that the leader watches, and say so; a flag has priority', async () => {
  const world = await World.start({ crds: false });
  await world.installCrds(crds(GROUP, { withPlans: false }));
  const plans = crds('hibernator.ardikabs.com', { withPlans: true }).slice(
    crds('hibernator.ardikabs.com', { withPlans: false }).length,
  );
  await world.installCrds(plans);
  await world.secret('n');
  await world.notification('n', { onEvents: ['Start'] });
  await world.kube.post(`/apis/hibernator.ardikabs.com/v1alpha1/namespaces/${NAMESPACE}/hibernateplans`, {
    apiVersion: 'hibernator.ardikabs.com/v1alpha1',
    kind: 'HibernatePlan',
    metadata: { name: 'orders' },
    spec: {
      targets: [{ name: 'db', type: 'rds', connectorRef: { kind: 'CloudProvider', name: 'aws' } }],
    },
  });
  const [plural, version, ...group] = OTHER.split('.');
  const planResource = { plural: plural ?? '', version: version ?? '', group: group.join('.') };
  await world.synced({ planResource });
  await world.status('n', (status) => status.planResource === OTHER && status.matched === 1);
  const get = await asked(world, 'get', 'plans', '-n', NAMESPACE);
  expect(get.out.join('\n')).toContain('orders');
  expect(get.err).toEqual([`plans are ${OTHER}, as hnotif watches them; --plan-resource chooses others`]);
  const why = await asked(world, 'why', 'orders', '-n', NAMESPACE);
  expect([why.out, why.err].flat().join('\n')).not.toContain('cannot be listed');
  const own = await asked(
    world,
    'get',
    'plans',
    '-n',
    NAMESPACE,
    `--plan-resource=hibernateplans.v1alpha1.${GROUP}`,
  );
  expect(own.err.join('\n')).toContain(`does not serve hibernateplans.v1alpha1.${GROUP}`);
});

it('a tenant who may only view notifications sees whether hnotif is active, and is told what he may not read', async () => {
  const world = await World.start({ cluster: { tls: true, auth: true } });
  const { kube } = world;
  for (const file of ['namespace', 'account', 'lease'])
    await applyRights(kube, await deployed(`kustomize/base/${file}.yaml`));
  const view = (await deployed('tenant-roles.yaml')).find(({ metadata }) => metadata.name === 'hnotif-view');
  await kube.post(`${RBAC}/clusterroles`, view ?? {});
  await kube.post(`${RBAC}/namespaces/${NAMESPACE}/rolebindings`, {
    metadata: { name: 'view' },
    subjects: [{ kind: 'User', name: 'tenant' }],
    roleRef: { kind: 'ClusterRole', name: 'hnotif-view' },
  });
  await world.secret('n');
  await world.notification('n', { onEvents: ['Start'] });
  const lease = '/apis/coordination.k8s.io/v1/namespaces/hnotif/leases';
  const times = { acquireTime: '2026-01-05T06:00:00.000000Z', renewTime: '2026-01-05T06:00:00.000000Z' };
  await kube.post(lease, {
    metadata: { name: 'hnotif' },
    spec: { holderIdentity: 'hnotif-7c9d', leaseDurationSeconds: 15, ...times },
  });
  const kubeconfig = `--kubeconfig=${await world.kubeconfigOf('tenant')}`;
  const why = await command(['why', kubeconfig]);
  expect(why.out.join('\n')).toMatch(/no instance is active: hnotif-7c9d has not renewed the Lease hnotif/);
  const send = await command(['send', 'n', kubeconfig]);
  expect(send.exit).not.toBe(0);
  const said = [...send.out, ...send.err].join('\n');
  expect(said).toMatch(
    /secret n with the key config was not read: secrets cannot be listed.*no right to do that/,
  );
  expect(said).not.toContain('create it');
});
