import { describe, expect, it } from 'vitest';
import { deploymentOf } from '../src/cli/installation/deployment.ts';
import { rightsInNamespace, rightsOfLease } from '../src/cli/installation/rights.ts';
import { defaultPlanResource } from '@hnotif/core/resources';
import { CHART_KIND_CRDS } from './support/chart-kinds.ts';
import { objectsOf, RENDITIONS } from './support/chart.ts';
import { command } from './support/command.ts';
import { ACCOUNT, applyRights, deployed, type Manifest } from '../../lab/src/rights.ts';
import { GROUP, World } from './support/world.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const OF_HNOTIF = { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'hnotif' } } };
const ADMIN = { groups: ['system:masters'] };

/** A cluster with the rights of deploy/kustomize/base, and a controller with them. */
async function installed(): Promise<World> {
  const world = await World.start({ cluster: { tls: true, auth: true } });
  for (const file of ['namespace', 'account', 'rights', 'lease'])
    await applyRights(world.kube, await deployed(`kustomize/base/${file}.yaml`));
  return world;
}

async function examined(world: World, user = 'jane', ...args: readonly string[]) {
  const token = world.cluster.users.token(user, user === 'jane' ? ADMIN : {});
  const kubeconfig = await world.file(user, world.cluster.kubeconfig({ token }));
  return command(['doctor', '--cluster', `--kubeconfig=${kubeconfig}`, ...args]);
}

it('says in a few lines that an installation is well', async () => {
  const world = await installed();
  await world.installCrds(CHART_KIND_CRDS);
  const objects = objectsOf(RENDITIONS.find(({ title }) => title === 'everything on')!);
  const paths: Readonly<Record<string, string>> = {
    NetworkPolicy: '/apis/networking.k8s.io/v1/namespaces/hnotif/networkpolicies',
    ValidatingAdmissionPolicy: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    ServiceMonitor: '/apis/monitoring.coreos.com/v1/namespaces/hnotif/servicemonitors',
  };
  for (const object of objects) {
    const path = paths[object.kind];
    // Without a Deployment, the labels of the chart's release are not known.
    const spec = { ...(object.spec as object), ...(object.kind === 'NetworkPolicy' && OF_HNOTIF) };
    if (path !== undefined) await world.kube.post(path, { ...object, spec });
  }
  await world.secret('n');
  await world.notification('n', { onEvents: ['Start'] });
  await world.plan('orders');
  const token = world.cluster.users.token(ACCOUNT);
  const kubeconfig = await world.file('account', world.cluster.kubeconfig({ token }));
  await world.synced({ leaseNamespace: 'hnotif', kubeconfig });
  await world.hibernate('orders');
  await world.received(1);
  const lines = async () => (await examined(world)).out;
  await expect.poll(lines).toContain('ok      journals: 1 journal, 0 deliveries wait');
  await world.status('n', ({ conditions }) => conditions?.[0]?.status === 'True');
  const { exit, out, err } = await examined(world);
  expect([exit, err]).toEqual([0, []]);
  expect(out).toEqual([
    expect.stringMatching(/^ok {6}leader: served by /),
    expect.stringMatching(/^skipped deployment: the cluster does not serve deployments\.v1\.apps$/),
    expect.stringMatching(/^ok {6}crds: hibernatenotifications\.hibernation\.dev has all fields of hnotif /),
    expect.stringMatching(/^ok {6}crds: hibernatenotificationjournals\.hibernation\.dev has all fields of /),
    'ok      plans: hibernateplans.v1alpha1.hibernation.dev is served, 1 plan',
    expect.stringMatching(
      /^ok {6}rights: system:serviceaccount:hnotif:hnotif has all \d+ rights that hnotif needs$/,
    ),
    'ok      journals: 1 journal, 0 deliveries wait',
    'ok      notifications: 1 notification, all are ready',
    'ok      metrics: Prometheus collects them: ServiceMonitor night-log',
    'ok      network policy: night-log limits the connections of hnotif',
    expect.stringMatching(/^ok {6}journal policy: .* lets only hnotif write journals$/),
  ]);
});

it('names what is missing, with the remedy', async () => {
  const world = await World.start({ crds: false, cluster: { tls: true, auth: true } });
  const none = await examined(world);
  expect(none.exit).toBe(1);
  expect(none.out).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^failed {2}crds: hibernatenotifications\.hibernation\.dev does not exist; apply th/,
      ),
      expect.stringMatching(
        /^failed {2}plans: the cluster does not serve hibernateplans\S+; it comes with the operator of the plans; --p/,
      ),
      expect.stringMatching(
        /^failed {2}rights: system:serviceaccount:hnotif:hnotif may not list hibernateplans\.hibernation\.dev in all namespaces, .* and \d+ more/,
      ),
      expect.stringMatching(/^warning leader: it is not known whether an instance is active: /),
    ]),
  );
});

it('finds an old CRD, a right that was removed, a journal that is not kept, and egress that is blocked', async () => {
  const world = await installed();
  await world.installCrds(CHART_KIND_CRDS);
  const path = `${CRDS}/hibernatenotifications.${GROUP}`;
  const { spec } = (await world.kube.get(path)) as unknown as { spec: { versions: [{ schema: Old }] } };
  const [{ schema }] = spec.versions;
  delete schema.openAPIV3Schema.properties.spec.properties.muteSchedule;
  await world.kube.patch(path, { spec });
  const rights = '/apis/rbac.authorization.k8s.io/v1/clusterroles/hnotif';
  const role = (await world.kube.get(rights)) as unknown as { rules: { resources: string[] }[] };
  await world.kube.patch(rights, {
    rules: role.rules.filter(({ resources }) => !resources.includes('hibernatenotifications/status')),
  });
  await world.kube.post('/apis/networking.k8s.io/v1/namespaces/hnotif/networkpolicies', {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'deny' } },
    spec: { podSelector: {}, policyTypes: ['Egress'] },
  });
  await world.notification('n', { onEvents: ['Start'] });
  const durable = {
    type: 'Durable',
    status: 'False',
    reason: 'Forbidden',
    message: 'journals may not be written: grant it',
  };
  const conditions = [{ ...durable, lastTransitionTime: '2026-01-05T20:00:00Z' }];
  await world.kube.patch(`${world.notificationPath('n')}/status`, { status: { conditions } });
  const { exit, out } = await examined(world);
  expect(exit).toBe(1);
  expect(out).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^warning crds: hibernatenotifications\.hibernation\.dev is older than hnotif .* has no spec\.muteSchedule, /,
      ),
      'failed  rights: system:serviceaccount:hnotif:hnotif may not patch hibernatenotifications/status.hibernation.dev in all namespaces (if it watches some namespaces, this is not known here); apply the roles of the chart or of deploy/kustomize again',
      'failed  journals: a kill would lose events of team-a/n: journals may not be written: grant it',
      'warning notifications: 1 of 1 are not ready: team-a/n; hnotif doctor n -n team-a says why',
      expect.stringMatching(/^failed {2}network policy: deny permits no egress: /),
      expect.stringMatching(/^note {4}journal policy: none: /),
    ]),
  );
});

interface Old {
  openAPIV3Schema: { properties: { spec: { properties: Record<string, unknown> } } };
}

it('skips what the user may not read, and refuses the name of a notification', async () => {
  const world = await installed();
  const { exit, out } = await examined(world, 'joe');
  expect(exit).toBe(0);
  expect(out.filter((line) => !/^(skipped|warning) /.test(line))).toEqual([]);
  expect(out).toContain('skipped crds: you have no right to list customresourcedefinitions');
  expect(out).toContain('skipped rights: you have no right to create subjectaccessreviews');
  expect(out).toContain('skipped network policy: you have no right to list networkpolicies');
  const named = await examined(world, 'jane', 'n');
  expect([named.exit, named.err]).toEqual([
    2,
    [expect.stringMatching(/leave out the name of a notification/)],
  ]);
});

it('ends with one error when no API server answers', async () => {
  const world = await World.start({ crds: false });
  const kubeconfig = await world.kubeconfig();
  await world.cluster.close();
  const { exit, out, err } = await command(['doctor', '--cluster', `--kubeconfig=${kubeconfig}`]);
  expect([exit, out]).toEqual([3, []]);
  expect(err).toEqual([
    expect.stringMatching(/^error: leases cannot be listed: .*; is the cluster up, and is this its ad/),
  ]);
});

describe('the rights that are asked for', () => {
  interface Rule {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
    readonly resourceNames?: readonly string[];
  }
  const granted = (objects: readonly Manifest[], name: string): string[] =>
    objects
      .filter(({ kind, metadata }) => kind.endsWith('Role') && metadata.name === name)
      .flatMap((role) => (role as unknown as { rules: readonly Rule[] }).rules)
      .flatMap(({ apiGroups, resources, verbs, resourceNames: [only] = [] }) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource} ${only ?? ''}`)),
        ),
      );

  it('are those that the manifests give', async () => {
    const asked = [
      ...rightsInNamespace(GROUP, defaultPlanResource(GROUP), ''),
      ...rightsOfLease('hnotif', 'hnotif'),
    ];
    const inManifests = [
      ...granted(await deployed('kustomize/base/rights.yaml'), 'hnotif'),
      ...granted(await deployed('kustomize/base/lease.yaml'), 'hnotif-lease'),
    ];
    expect(
      asked.map(({ verb, group, resource, name }) => `${verb} ${group}/${resource} ${name ?? ''}`).sort(),
    ).toEqual(inManifests.sort());
  });
});

it.each(RENDITIONS)('the Deployment of a rendering for $title is read', (rendition) => {
  const raw = objectsOf(rendition).find(({ kind }) => kind === 'Deployment');
  const { watchNamespaces, instance = 'hnotif' } = rendition.values as {
    watchNamespaces?: string[];
    instance?: string;
  };
  const found = deploymentOf({ ...raw, status: { readyReplicas: 1 } });
  expect(found).toMatchObject({ ready: 1, image: expect.stringMatching(/hnotif/) as string });
  expect(found?.flags.get('instance')).toBe(instance);
  expect(found?.flags.get('watch-namespaces')).toBe(watchNamespaces?.join(','));
});
