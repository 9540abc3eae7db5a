import { describe, expect, it } from 'vitest';
import { crds } from '@hnotif/core/resources';
import { CHART_KIND_CRDS, withStandIns } from './support/chart-kinds.ts';
import { objectsOf, podOf, renderingOf, RENDITIONS, type Rendition } from './support/chart.ts';
import { kubectlOf, NO_KUBECTL } from './support/kubectl.ts';
import { hnotif } from './support/process.ts';
import { contextOf, GROUP, NAMESPACE, World } from './support/world.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** What `helm install` sends, as a file. */
async function manifestOf(world: World, rendition: Omit<Rendition, 'title'>): Promise<string> {
  const text = renderingOf(rendition)
    .files.map(({ text }) => text)
    .join('\n---\n');
  return world.file('chart.yaml', withStandIns(text));
}

describe.skipIf(NO_KUBECTL !== '')(`kubectl${NO_KUBECTL && ` (skipped: ${NO_KUBECTL})`} applies`, () => {
  it.each(RENDITIONS)('a rendering for $title', async (rendition) => {
    const world = await World.start({ crds: false });
    await world.installCrds(CHART_KIND_CRDS);
    for (const name of ['hnotif', 'payments', 'search', '123', 'on', '0x1f']) await world.addNamespace(name);
    const kubectl = await kubectlOf(await world.kubeconfig());
    const apply = async (): Promise<string[]> => {
      const file = await manifestOf(world, rendition);
      return (await kubectl('apply', '--validate=strict', '-f', file)).trim().split('\n');
    };
    const first = await apply();
    expect(first.filter((line) => !line.endsWith(' created'))).toEqual([]);
    expect(first).toHaveLength(objectsOf(rendition).length);
    // Between them they have all fields, and all names.
    if (!/everything on|YAML/.test(rendition.title)) return;
    // Applying it again changes nothing.
    expect((await apply()).filter((line) => !line.endsWith(' unchanged'))).toEqual([]);
  });
});

/** What the policy of a rendering says of a request. The plane has no such policies, but the rules of a CRD are CEL as well. */
async function permits(
  journalPolicy: object,
): Promise<(user: string, operation: string) => Promise<boolean>> {
  const objects = objectsOf({ values: { journalPolicy: { create: true, ...journalPolicy } } });
  const policy = objects.find(({ kind }) => kind === 'ValidatingAdmissionPolicy');
  const { validations } = policy?.spec as { validations: [{ expression: string }] };
  const world = await World.start({ crds: false });
  const string = { type: 'string', maxLength: 200 };
  const request = {
    type: 'object',
    properties: {
      operation: string,
      userInfo: {
        type: 'object',
        properties: { username: string, groups: { type: 'array', maxItems: 10, items: string } },
      },
    },
    'x-kubernetes-validations': [{ rule: validations[0].expression.replaceAll('request.', 'self.') }],
  };
  const names = { plural: 'requests', singular: 'request', kind: 'Request', listKind: 'RequestList' };
  await world.kube.post(CRDS, {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'requests.example.com' },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced', names },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: { openAPIV3Schema: { type: 'object', properties: { request } } },
        },
      ],
    },
  });
  let count = 0;
  return (username, operation) => {
    const groups =
      username === 'root' ? ['system:masters', 'system:authenticated'] : ['system:authenticated'];
    return world.kube
      .post('/apis/example.com/v1/namespaces/team-a/requests', {
        ...{ apiVersion: 'example.com/v1', kind: 'Request', metadata: { name: `r${count++}` } },
        request: { operation, userInfo: { username, groups } },
      })
      .then(
        () => true,
        (error: unknown) => {
          expect(String(error)).toMatch(/failed rule/);
          return false;
        },
      );
  };
}

it('the journal policy lets only hnotif write, and lets the controllers of the cluster delete', async () => {
  const cluster = 'system:serviceaccount:kube-system:';
  const users = [
    'system:serviceaccount:hnotif:hnotif',
    `${cluster}generic-garbage-collector`,
    `${cluster}namespace-controller`,
    'system:kube-controller-manager',
    'system:serviceaccount:team-a:hnotif',
    'system:serviceaccount:blue:hnotif',
    'jane',
    'root',
  ];
  const table = async (values: object): Promise<Record<string, string>> => {
    const permitted = await permits(values);
    const rows: Record<string, string> = {};
    for (const user of users) {
      const may: string[] = [];
      for (const operation of ['CREATE', 'UPDATE', 'DELETE'])
        if (await permitted(user, operation)) may.push(operation);
      rows[user] = may.join(' ');
    }
    return rows;
  };
  const all = 'CREATE UPDATE DELETE';
  const narrow = {
    'system:serviceaccount:hnotif:hnotif': all,
    [`${cluster}generic-garbage-collector`]: 'DELETE',
    [`${cluster}namespace-controller`]: 'DELETE',
    'system:kube-controller-manager': 'DELETE',
    'system:serviceaccount:team-a:hnotif': '',
    'system:serviceaccount:blue:hnotif': '',
    jane: '',
    root: '',
  };
  expect(await table({})).toEqual(narrow);
  const more = { allowedUsers: ['system:serviceaccount:blue:hnotif'], allowedGroups: ['system:masters'] };
  expect(await table(more)).toEqual({ ...narrow, 'system:serviceaccount:blue:hnotif': all, root: all });
});

describe.skipIf(NO_KUBECTL !== '')(`installed${NO_KUBECTL && ` (skipped: ${NO_KUBECTL})`}`, () => {
  it.each([
    ['all namespaces', []],
    ['one namespace', [NAMESPACE]],
  ])(
    'for %s the controller runs with the arguments and the account of the chart, and delivers',
    async (_, watchNamespaces) => {
      const world = await World.start({ crds: false, cluster: { tls: true, auth: true } });
      const { cluster } = world;
      const rendition = {
        release: 'night',
        values: {
          watchNamespaces,
          egress: { allow: ['127.0.0.0/8'], showPrivateAnswers: true },
          // What a pod has without being told: its namespace. And what a test needs: free ports and a receiver without TLS.
          extraArgs: [
            '--lease-namespace=hnotif',
            '--metrics-address=127.0.0.1:0',
            '--health-address=127.0.0.1:0',
            '--allow-insecure-http',
          ],
        },
      };
      const admin = cluster.users.token('admin', { groups: ['system:masters'] });
      const asAdmin = await world.file('admin', cluster.kubeconfig({ token: admin }));
      const kubectl = await kubectlOf(asAdmin);
      await world.installCrds(CHART_KIND_CRDS);
      await world.addNamespace('hnotif');
      await kubectl('apply', '--validate=strict', '-f', await manifestOf(world, rendition));
      // Those of the operator come after our own.
      const ours = crds(GROUP, { withPlans: false }).length;
      await world.installCrds(crds(GROUP, { withPlans: true }).slice(ours));
      const { metadata, spec } = podOf(objectsOf(rendition));
      expect(metadata.labels['app.kubernetes.io/instance']).toBe('night');
      const [{ args, env }] = spec.containers;
      const account = `system:serviceaccount:hnotif:${spec.serviceAccountName}`;
      const kubeconfig = await world.file(
        'account',
        cluster.kubeconfig({ token: cluster.users.token(account) }),
      );
      const run = hnotif([...args], {
        ...Object.fromEntries(env.map(({ name, value = '' }) => [name, value])),
        KUBECONFIG: kubeconfig,
      });
      await run.line(/"msg":"serving"/);
      await world.secret('n');
      await world.notification('n', { onEvents: ['Start'] });
      await world.status('n', ({ conditions }) => conditions?.[0]?.status === 'True');
      await world.plan('orders');
      await world.hibernate('orders');
      const [record] = await world.received(1);
      expect(record && contextOf(record).event).toBe('Start');
      const journals = await kubectl(
        'get',
        'hibernatenotificationjournals.hibernation.dev',
        '-A',
        '-o',
        'name',
      );
      expect(journals.trim().split('\n')).toHaveLength(1);
      run.kill('SIGTERM');
      expect(await run.exit).toBe(0);
      expect(run.stderr.filter((line) => /forbidden/i.test(line))).toEqual([]);
    },
  );
});
