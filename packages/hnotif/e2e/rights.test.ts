import { describe, expect, it } from 'vitest';
import type { ControllerOptions } from '../src/controller/options.ts';
import { begin, initialStatus } from '@hnotif/core/lifecycle';
import {
  crds,
  journalsOf,
  notificationsOf,
  type ResourceType,
  type NotificationStatus,
} from '@hnotif/core/resources';
import { optionsOf, podOf } from './support/chart.ts';
import { NO_KUBECTL } from './support/kubectl.ts';
import { configMapObject, notificationObject, planObject, secretObject } from '../../lab/src/objects.ts';
import { startProxy, type Right } from './support/proxy.ts';
import { ACCOUNT, applyRights, type Manifest } from '../../lab/src/rights.ts';
import { VARIANTS } from './support/variants.ts';
import { NAMESPACE, World } from './support/world.ts';

/** A right that a role gives. `namespace`: `''` for all; no names: all. */
interface Grant extends Omit<Right, 'name'> {
  readonly names: readonly string[];
}

interface Binding extends Manifest {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects: readonly { readonly kind: string; readonly namespace?: string; readonly name: string }[];
}

interface Role extends Manifest {
  readonly rules: readonly {
    readonly apiGroups?: readonly string[];
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

/** What hnotif's account may do with these objects. */
function grantsOf(objects: readonly Manifest[]): Grant[] {
  const bound = objects.filter(({ kind }) => kind.endsWith('RoleBinding')) as Binding[];
  return bound
    .filter(({ subjects }) =>
      subjects.some(({ namespace, name }) => `system:serviceaccount:${namespace}:${name}` === ACCOUNT),
    )
    .flatMap(({ metadata: { namespace = '' }, roleRef }) => {
      const role = objects.find(
        ({ kind, metadata }) =>
          kind === roleRef.kind &&
          metadata.name === roleRef.name &&
          (kind === 'ClusterRole' || metadata.namespace === namespace),
      ) as Role | undefined;
      if (role === undefined) throw new Error(`${roleRef.kind} ${roleRef.name} is bound and is not there`);
      return role.rules.flatMap(({ apiGroups = [], resources = [], resourceNames: names = [], verbs }) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((resource) => verbs.map((verb) => ({ verb, group, resource, namespace, names }))),
        ),
      );
    });
}

const covers = (grant: Grant, { verb, group, resource, namespace, name }: Right): boolean =>
  grant.verb === verb &&
  grant.group === group &&
  grant.resource === resource &&
  (grant.namespace === '' || grant.namespace === namespace) &&
  (grant.names.length === 0 || grant.names.includes(name));

const pathOf = (type: ResourceType, namespace: string): string =>
  `/apis/${type.group}/${type.version}/namespaces/${namespace}/${type.plural}`;

/** A plan begins its night, its messages are refused, and it is deleted: all that hnotif writes is written. */
async function night(world: World, namespace: string, options: ControllerOptions): Promise<void> {
  const { kube } = world;
  const { apiGroup, planResource } = options;
  const ofGroup = (object: object, { group, version }: ResourceType): object => ({
    ...object,
    apiVersion: `${group}/${version}`,
  });
  // The journal is read after a write without an answer.
  world.cluster.faults.add({
    ...{ verb: 'create', resource: 'hibernatenotificationjournals', namespace, times: 1 },
    effect: { kind: 'reset', when: 'after' },
  });
  const core = `/api/v1/namespaces/${namespace}`;
  const config = JSON.stringify({ url: `${world.receiver.url}n`, enable_renderer: true });
  await kube.post(`${core}/secrets`, secretObject('n', config));
  await kube.post(`${core}/configmaps`, configMapObject('texts', { 'template.gotpl': '{{ .Event }}' }));
  const notifications = notificationsOf(apiGroup);
  const sinks = [{ name: 'n', templateRef: { name: 'texts' } }];
  const notification = notificationObject('n', { onEvents: ['Start', 'PhaseChange'], sinks });
  await kube.post(pathOf(notifications, namespace), ofGroup(notification, notifications));
  const plans = pathOf(planResource, namespace);
  await kube.post(plans, ofGroup(planObject('orders', ['db']), planResource));
  const active = { ...initialStatus, phase: 'Active' as const };
  await kube.patch(`${plans}/orders/status`, { status: active });
  const until = (wanted: (status: NotificationStatus) => boolean): Promise<unknown> =>
    kube.until(
      pathOf(notifications, namespace),
      'n',
      ({ status }) => status !== undefined && wanted(status as NotificationStatus),
    );
  await until(({ matched }) => matched === 1);
  const begun = begin(active, 'shutdown', 'night', [{ name: 'db', type: 'rds' }], Date.now());
  await kube.patch(`${plans}/orders/status`, { status: begun });
  await until(({ sinks }) => (sinks?.[0]?.consecutiveFailures ?? 0) >= 2);
  const journals = async (): Promise<unknown> =>
    (await kube.get(pathOf(journalsOf(apiGroup), namespace))).items;
  await expect.poll(journals).toEqual([
    expect.objectContaining({
      spec: expect.objectContaining({
        summary: expect.objectContaining({ waiting: 0 }) as unknown,
      }) as unknown,
    }),
  ]);
  await kube.delete(`${plans}/orders`);
  await expect.poll(journals).toEqual([]);
}

describe.skipIf(NO_KUBECTL !== '')(`the rights of${NO_KUBECTL && ` (skipped: ${NO_KUBECTL})`}`, () => {
  it.each(VARIANTS)('$name are all that the controller needs, and no more', async ({ objects: of }) => {
    const objects = await of();
    const options = optionsOf(podOf(objects).spec.containers[0].args);
    const { apiGroup, metricsAuth, planResource, watchNamespaces } = options;
    const world = await World.start({ crds: false, cluster: { auth: true } });
    const { kube, cluster } = world;
    const definitions = crds(apiGroup, { withPlans: false });
    const ofPlans = crds(planResource.group, { withPlans: true }).slice(definitions.length);
    for (const crd of [...definitions, ...ofPlans])
      await kube.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
    for (const namespace of watchNamespaces) await world.addNamespace(namespace);
    await applyRights(kube, objects);
    world.receiver.faults.add({ fault: { kind: 'status', status: 400 } });
    const proxy = await startProxy(cluster.url);
    const user = `user: ${JSON.stringify({ token: cluster.users.token(ACCOUNT) })}`;
    const text = cluster.kubeconfig().replaceAll(cluster.url, proxy.url).replace('user: {}', user);
    const kubeconfig = await world.file('account', text);
    const controller = await world.synced({
      ...{ kubeconfig, apiGroup, planResource, watchNamespaces, leaseNamespace: 'hnotif' },
      ...(metricsAuth && { metricsAuth }),
    });
    for (const namespace of watchNamespaces.length === 0 ? [NAMESPACE] : watchNamespaces)
      await night(world, namespace, options);
    const authorization = `Bearer ${cluster.users.token('prometheus', { groups: ['system:masters'] })}`;
    expect((await fetch(`${controller.metricsUrl}/metrics`, { headers: { authorization } })).status).toBe(
      200,
    );
    await controller.stop();

    const grants = grantsOf(objects);
    const missing = proxy.rights.filter((right) => !grants.some((grant) => covers(grant, right)));
    const unused = grants.filter((grant) => !proxy.rights.some((right) => covers(grant, right)));
    expect({ missing, unused }).toEqual({ missing: [], unused: [] });
    expect(world.log.filter((line) => /forbidden/i.test(line))).toEqual([]);
    const roles = objects.filter(({ kind }) => kind.startsWith('ClusterRole'));
    if (watchNamespaces.length > 0) expect(roles).toEqual([]);
  });
});
