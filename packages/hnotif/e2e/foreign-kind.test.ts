import { expect, it } from 'vitest';
import { crds, defaultPlanResource } from '@hnotif/core/resources';
import { World } from './support/world.ts';

const FOREIGN = 'night.example.com';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The definition of another operator with the names of ours. */
function foreignDefinition(): object {
  const [ours] = crds(FOREIGN, { withPlans: false });
  if (ours === undefined) throw new Error('no definition');
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    ...ours,
    spec: {
      ...ours.spec,
      names: { ...ours.spec.names, shortNames: ['hnotif'] },
      versions: ours.spec.versions.map((version) => ({
        ...version,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } },
      })),
    },
  };
}

it('notifications of another operator are left alone and reported with the remedy, until they are ours', async () => {
  const world = await World.start({ crds: false });
  const { kube } = world;
  for (const crd of crds(FOREIGN, { withPlans: true }).slice(2)) await kube.post(CRDS, crd);
  await kube.post(CRDS, foreignDefinition());
  const collection = `/apis/${FOREIGN}/v1alpha1/namespaces/team-a/hibernatenotifications`;
  const spec = {
    selector: { matchLabels: {} },
    onEvents: ['Start'],
    sinks: [{ name: 's', type: 'webhook', secretRef: { name: 's' } }],
  };
  const object = {
    ...{ apiVersion: `${FOREIGN}/v1alpha1`, kind: 'HibernateNotification', metadata: { name: 'theirs' } },
    spec,
  };
  await kube.post(collection, object);
  const controller = await world.controller({
    ...{ apiGroup: FOREIGN, planResource: defaultPlanResource(FOREIGN) },
  });
  const line = await world.logged(/ForeignKind/);
  expect(line).toMatch(
    /choose another group with --api-group.*--plan-resource=hibernateplans\.v1alpha1\.night/,
  );
  const ready = await fetch(`${controller.healthUrl}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([
    503,
    expect.stringMatching(
      /\[-\]notifications the hibernatenotifications of the API group .* are not hnotif's/,
    ),
  ]);
  expect(await kube.get(`${collection}/theirs`)).not.toHaveProperty('status');
  await kube.delete(`${CRDS}/hibernatenotifications.${FOREIGN}`);
  for (const crd of crds(FOREIGN, { withPlans: false })) await kube.post(CRDS, crd);
  await kube.post(collection, object);
  await controller.synced;
  await kube.until(collection, 'theirs', ({ status }) => status !== undefined);
});
