import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeObject } from '@hnotif/helm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, parseDocument, isMap, isScalar, type YAMLMap } from 'yaml';
import { METRICS } from '../src/observe/metric-table.ts';
import { FOREIGN_GROUPS } from '@hnotif/core/resources';
import { runs } from '../../core/src/testing/runs.ts';
import { VERSION } from '@hnotif/core/version';
import {
  CHART_FOLDER,
  chart,
  objectsOf,
  optionsOf,
  podOf,
  renderingOf,
  RENDITIONS,
} from './support/chart.ts';
import { NO_KUBECTL } from './support/kubectl.ts';
import { deployed } from '../../lab/src/rights.ts';
import { VARIANTS } from './support/variants.ts';
import { temporary } from './support/temporary.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const byKind = (objects: readonly KubeObject[], kind: string): readonly KubeObject[] =>
  objects.filter((object) => object.kind === kind);
const kindsOf = (objects: readonly KubeObject[]): string[] =>
  [...new Set(objects.map(({ kind }) => kind))].sort();
const specOf = (object: KubeObject | undefined) => object?.spec as Record<string, unknown>;
const refusalOf = (act: () => unknown): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    return String(error);
  }
};
const objectsWith = (values: object) => objectsOf({ values: { ...values } });

describe.each(RENDITIONS)('a rendering for $title', (rendition) => {
  const objects = objectsOf(rendition);
  const pod = podOf(objects);

  it('has flags that hnotif run accepts', async () => {
    const folder = await temporary();
    await writeFile(join(folder, 'ca'), '-----BEGIN CERTIFICATE-----');
    const args = pod.spec.containers[0].args.map((arg) =>
      arg.replace(/^(--ca-file=)\/etc\/hnotif\/ca\/.*/, `$1${folder}/ca`),
    );
    const { apiGroup, instance, drainTimeoutMs } = optionsOf(args);
    expect(apiGroup).toBe(rendition.values.apiGroup ?? 'hibernation.dev');
    expect(instance).toBe(rendition.values.instance ?? 'hnotif');
    expect(pod.spec.terminationGracePeriodSeconds).toBe(drainTimeoutMs / 1000 + 15);
  });

  it('has labels, namespaces and selectors that fit', () => {
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { kind, metadata } of objects) {
      expect(metadata.labels).toMatchObject({
        'app.kubernetes.io/name': 'hnotif',
        'app.kubernetes.io/managed-by': 'Helm',
        'helm.sh/chart': `hnotif-${VERSION}`,
      });
      const ofCluster = /^(Cluster|CustomResource|Validating)/.test(kind);
      expect([kind, metadata.namespace === undefined]).toEqual([kind, ofCluster]);
    }
    const selectors = objects.flatMap((object) => {
      const { selector, podSelector } = (object.spec ?? {}) as Record<string, { matchLabels?: object }>;
      const found = selector ?? podSelector;
      return found === undefined ? [] : [found.matchLabels ?? found];
    });
    for (const selector of selectors) expect(pod.metadata.labels).toMatchObject(selector);
    for (const monitor of byKind(objects, 'ServiceMonitor'))
      expect(byKind(objects, 'Service')[0]?.metadata.labels).toMatchObject(
        (specOf(monitor).selector as { matchLabels: object }).matchLabels,
      );
  });

  it('says in its notes what was installed', () => {
    const { notes } = renderingOf(rendition);
    const group = (rendition.values.apiGroup as string | undefined) ?? 'hibernation.dev';
    expect(notes).toContain(`kubectl get hibernatenotifications.${group} -A`);
    const doctor = /^ {2}hnotif (doctor --cluster .*)$/m.exec(notes)?.[1] ?? '';
    expect(doctor).toBe(
      [
        `doctor --cluster -n ${rendition.namespace ?? 'hnotif'}`,
        ...(group === 'hibernation.dev' ? [] : [`--api-group=${group}`]),
        ...(rendition.values.planResource
          ? [`--plan-resource=${rendition.values.planResource as string}`]
          : []),
      ].join(' '),
    );
    const namespaces = rendition.values.watchNamespaces as readonly string[] | undefined;
    expect(notes).toContain(namespaces ? `the namespaces ${namespaces.join(', ')}` : 'all namespaces');
    const open = byKind(objects, 'ValidatingAdmissionPolicy').length === 0;
    expect(notes.includes('There is no policy for journals')).toBe(open);
  });
});

describe('the values of the chart', () => {
  it('decide which kinds are rendered', () => {
    const kinds = (title: string) =>
      kindsOf(objectsOf(RENDITIONS.find((rendition) => rendition.title === title)!));
    const wide = ['ClusterRole', 'ClusterRoleBinding'];
    const policy = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'];
    const base = [
      'CustomResourceDefinition',
      'Deployment',
      'PodDisruptionBudget',
      'Role',
      'RoleBinding',
      'Service',
      'ServiceAccount',
    ];
    expect(kinds('the defaults')).toEqual([...wide, ...base, ...policy].sort());
    expect(kinds('a cluster without ValidatingAdmissionPolicy')).toEqual([...wide, ...base].sort());
    expect(kinds('some namespaces')).toEqual(base);
    expect(kinds('several teams')).toEqual([...wide, ...base, ...policy, 'NetworkPolicy'].sort());
    expect(kinds('everything off')).toEqual(['Deployment']);
    expect(kinds('everything on')).toEqual(
      [
        ...wide,
        ...base,
        ...policy,
        'ConfigMap',
        'NetworkPolicy',
        'PodMonitor',
        'PrometheusRule',
        'ServiceMonitor',
      ].sort(),
    );
  });

  it('`watchNamespaces` gives each namespace a Role and a RoleBinding, besides those for the Lease', () => {
    const objects = objectsWith({ watchNamespaces: ['payments', 'search', 'hnotif'] });
    const places = byKind(objects, 'Role').map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(places).toEqual([
      'payments/hnotif',
      'search/hnotif',
      'hnotif/hnotif',
      'hnotif/hnotif-lease',
      'hnotif/hnotif-lease-view',
    ]);
    expect(podOf(objects).spec.containers[0].args).toContain('--watch-namespaces=payments,search,hnotif');
  });

  it('values-multi-tenant.yaml sets what docs/security.md recommends', () => {
    const objects = objectsOf(RENDITIONS.find(({ title }) => title === 'several teams')!);
    expect(podOf(objects).spec.containers[0].args).toContain('--cross-namespace-connectors=none');
    expect(byKind(objects, 'ClusterRole').map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining(['hnotif-view', 'hnotif-edit']),
    );
    expect(specOf(byKind(objects, 'NetworkPolicy')[0]).ingress).toEqual([
      {
        ports: [{ port: 'metrics' }],
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
      },
      { ports: [{ port: 'health' }] },
    ]);
    expect(byKind(objects, 'ValidatingAdmissionPolicyBinding')).toHaveLength(1);
  });

  it.each([
    [{}, `hnotif:${VERSION}`],
    [{ tag: 'v2' }, 'hnotif:v2'],
    [
      { repository: 'r.example.com/a/hnotif', tag: 'v2', digest: `sha256:${'0'.repeat(64)}` },
      `r.example.com/a/hnotif@sha256:${'0'.repeat(64)}`,
    ],
  ])('image %j is %s', (image, expected) => {
    expect(podOf(objectsWith({ image })).spec.containers[0].image).toBe(expected);
  });

  it.each([
    ['hnotif', 'hnotif'],
    ['my-hnotif', 'my-hnotif'],
    ['prod', 'prod-hnotif'],
    ['a'.repeat(53), 'a'.repeat(50)],
  ])('the release %s makes objects named %s', (release, name) => {
    const objects = objectsOf({ values: {}, release });
    expect(byKind(objects, 'Deployment')[0]?.metadata.name).toBe(name);
    expect(podOf(objects).spec.serviceAccountName).toBe(name);
  });

  it('`crds.keep` keeps the CRDs; another API group replaces the group everywhere', () => {
    const annotations = (values: object) =>
      byKind(objectsWith(values), 'CustomResourceDefinition').map(({ metadata }) => metadata.annotations);
    expect(annotations({})).toEqual(Array(2).fill({ 'helm.sh/resource-policy': 'keep' }));
    expect(annotations({ crds: { keep: false } })).toEqual([undefined, undefined]);
    const other = objectsWith({ apiGroup: 'sleep.example.com' });
    expect(JSON.stringify(other)).not.toContain('hibernation.dev');
    expect(
      byKind(other, 'CustomResourceDefinition')
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual([
      'hibernatenotificationjournals.sleep.example.com',
      'hibernatenotifications.sleep.example.com',
    ]);
  });

  it('`proxy`, `extraEnv` and `extraCA` reach the container', () => {
    const { spec } = podOf(
      objectsWith({
        proxy: { https: 'http://proxy:3128', noProxy: '.svc' },
        extraEnv: [{ name: 'TZ', value: 'UTC' }],
        extraCA: { configMap: 'ca', key: 'bundle.pem' },
      }),
    );
    const [container] = spec.containers;
    expect(container.env.map(({ name, value }) => `${name}=${value}`)).toEqual([
      'UV_THREADPOOL_SIZE=64',
      'HTTPS_PROXY=http://proxy:3128',
      'NO_PROXY=.svc',
      'TZ=UTC',
    ]);
    expect(container.args).toContain('--ca-file=/etc/hnotif/ca/bundle.pem');
    expect(container.volumeMounts).toEqual([{ name: 'ca', mountPath: '/etc/hnotif/ca', readOnly: true }]);
    expect(spec.volumes).toEqual([{ name: 'ca', configMap: { name: 'ca' } }]);
  });

  it('`networkPolicy` allows the necessary traffic, in and out', () => {
    const network = (networkPolicy: object) =>
      specOf(byKind(objectsWith({ networkPolicy: { create: true, ...networkPolicy } }), 'NetworkPolicy')[0]);
    const dns = {
      ports: [
        { port: 53, protocol: 'UDP' },
        { port: 53, protocol: 'TCP' },
      ],
    };
    expect(network({})).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [{ port: 'metrics' }] }, { ports: [{ port: 'health' }] }],
      egress: [dns, { ports: [{ port: 443 }, { port: 6443 }] }, { ports: [{ port: 443 }] }],
    });
    const peer = { namespaceSelector: { matchLabels: { a: 'b' } } };
    const proxy = { ports: [{ port: 3128 }] };
    expect(
      network({ metricsFrom: [peer], apiServer: { cidrs: ['10.0.0.1/32'] }, extraEgress: [proxy] }),
    ).toMatchObject({
      ingress: [{ ports: [{ port: 'metrics' }], from: [peer] }, { ports: [{ port: 'health' }] }],
      egress: [
        dns,
        { ports: [{ port: 443 }, { port: 6443 }], to: [{ ipBlock: { cidr: '10.0.0.1/32' } }] },
        { ports: [{ port: 443 }] },
        proxy,
      ],
    });
  });

  it('have the resources that docs/scaling.md gives for 1,000 plans', async () => {
    const page = await readFile(join(CHART_FOLDER, '../../../docs/scaling.md'), 'utf8');
    const [, cpu, memory, limit] = /\(the chart's default\) \| (\S+) \| (\S+) \| (\S+) \|/.exec(page) ?? [];
    const [container] = podOf(objectsWith({})).spec.containers;
    expect(container.resources).toEqual({ requests: { cpu, memory }, limits: { memory: limit } });
  });

  it('satisfy the Pod Security Standard "restricted"', () => {
    const [container] = podOf(objectsWith({})).spec.containers;
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      runAsUser: 65532,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    });
  });

  it.each([
    [{ replica: 1 }, 'values: there is no replica'],
    [{ replicas: '2' }, 'replicas: must be integer'],
    [{ image: { tag: 1.2 } }, 'image.tag: must be string'],
    [{ image: { digest: 'abc' } }, 'image.digest: give sha256: and 64 hexadecimal digits'],
    [{ egress: { allow: '10.0.0.0/8' } }, 'egress.allow: must be array'],
    [{ egress: { allow: ['10.0.0.1'] } }, 'egress.allow[0]: give a network by its first address and length'],
    [
      { egress: { allow: ['10.0.0.0/8', '10.0.0.1/8'] } },
      'egress.allow[1]: give a network by its first address',
    ],
    [{ egress: { deny: ['fd00::/129'] } }, 'egress.deny[0]: give a network'],
    [
      { networkPolicy: { apiServer: { cidrs: ['300.0.0.0/8'] } } },
      'networkPolicy.apiServer.cidrs[0]: give a',
    ],
    [{ crossNamespaceConnectors: 'maybe,all' }, 'crossNamespaceConnectors: give all, none, or namespaces'],
    [{ crossNamespaceConnectors: 'a,,b' }, 'crossNamespaceConnectors: give all, none, or namespaces'],
    [{ watchNamespaces: ['A'] }, 'watchNamespaces[0]: give the name of a namespace, such as payments'],
    [{ apiGroup: 'hibernation' }, 'apiGroup: give a DNS name with a dot'],
    [
      { proxy: { https: 'proxy:3128' } },
      'proxy.https: give an address such as http://proxy.example.com:3128',
    ],
    [
      { podDisruptionBudget: { maxUnavailable: 'all' } },
      'podDisruptionBudget.maxUnavailable: give a number or',
    ],
    [{ serviceMonitor: { interval: '30' } }, 'serviceMonitor.interval: give a time such as 30s or 1m'],
    [{ resources: { request: { cpu: 1 } } }, 'resources: there is no request'],
    [{ resources: { limits: { memory: '512 MB' } } }, /resources\.limits\.memory: must match pattern/],
    [{ securityContext: { runAsUsr: 1 } }, 'securityContext: there is no runAsUsr'],
    [{ podSecurityContext: { fsgroup: 1 } }, 'podSecurityContext: there is no fsgroup'],
    [
      { tolerations: [{ operator: 'Equals' }] },
      /tolerations\.0\.operator: must be equal to one of .*: Exists, Eq/,
    ],
    [{ affinity: { nodeAfinity: {} } }, 'affinity: there is no nodeAfinity'],
    [
      { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'a' }] },
      /must have required property 'whenUns/,
    ],
    [{ extraEnv: [{ name: 'TZ', valeu: 'UTC' }] }, 'extraEnv.0: there is no valeu'],
    [
      { extraEnv: [{ name: 'TZ', value: 'UTC', valueFrom: { fieldRef: {} } }] },
      /extraEnv\.0: must NOT be valid/,
    ],
    [
      { networkPolicy: { metricsFrom: [{ namespace: 'a' }] } },
      'networkPolicy.metricsFrom.0: there is no namespace',
    ],
    [{ networkPolicy: { extraEgress: [{ port: 1 }] } }, 'networkPolicy.extraEgress.0: there is no port'],
    [{ watchNamespaces: ['a', 'a'] }, /watchNamespaces: must NOT have duplicate items/],
    [
      { watchNamespaces: Array.from({ length: 101 }, (_, i) => `n${i}`) },
      /must NOT have more than 100 items/,
    ],
    [
      { log: { level: 'loud' } },
      'log.level: must be equal to one of the allowed values: fatal, error, warn, info, debug, trace',
    ],
    [
      { journalPolicy: { create: 'yes' } },
      'journalPolicy.create: must be equal to one of the allowed values: auto, true, false',
    ],
    [{ extraArgs: ['max-age=1h'] }, 'extraArgs[0]: give a flag of hnotif run with its value in one text'],
    [{ fullnameOverride: '1st' }, 'fullnameOverride: give a name of lower case letters, digits and -, with'],
    [{ fullnameOverride: 'night.log' }, 'fullnameOverride: give a name of lower case letters, digits and -,'],
    [{ planResource: 'plans' }, 'planResource: give PLURAL.VERSION.GROUP, such as hibernateplans.v1alpha1'],
    [{ clusterName: 'prod eu' }, 'clusterName: give at most 63 letters, digits'],
    [{ clusterName: 'x'.repeat(64) }, /clusterName/],
    [{ planResource: 'plans.vx.example.com' }, 'planResource: give PLURAL.VERSION.GROUP'],
    [{ extraCA: { configMap: 'a', secret: 'b' } }, /extraCA: give configMap or secret, not both/],
    [
      { serviceAccount: { create: false } },
      /serviceAccount\.name is needed with serviceAccount\.create=false/,
    ],
    [
      { service: { create: false }, serviceMonitor: { create: true } },
      /serviceMonitor\.create needs service\.create/,
    ],
  ])('%j are refused', (values, message) => {
    expect(() => objectsWith(values)).toThrow(message);
  });

  const names = fc.constantFrom('a', 'b-', 'all', 'none', 'shared', 'A', '', 'v1', '1');
  const lists = fc.array(names, { minLength: 1, maxLength: 3 });
  const lengths = fc.constantFrom('0', '8', '12', '24', '32', '33', '128', '129', 'x');
  const bytes = fc.array(fc.constantFrom('0', '1', '16', '255', '256', '01'), { minLength: 3, maxLength: 4 });
  const cidrs = fc.oneof(
    fc.tuple(bytes, lengths).map(([all, length]) => `${all.join('.')}/${length}`),
    fc
      .tuple(fc.constantFrom('fd00::', '::1', '::', 'fd00::1', ':', 'g::'), lengths)
      .map((parts) => parts.join('/')),
  );
  /** Of a network, the chart sees only the form: whole bytes, and the characters of IPv6. */
  const ONLY_THE_PROGRAM =
    /is an address within a network|":.*is not a network|link-local|is public and not in/;

  it.each([
    ['instance', '--instance', lists.map((all) => all.join('.'))],
    ['apiGroup', '--api-group', lists.map((all) => all.join('.'))],
    ['planResource', '--plan-resource', lists.map((all) => `plans.v1${all.join('.')}`)],
    ['crossNamespaceConnectors', '--cross-namespace-connectors', lists.map((all) => all.join(','))],
    ['egress.allow', '--egress-allow', cidrs],
  ] as const)('%s is refused where %s is', (path, flag, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const inChart = refusalOf(() =>
          objectsWith(path === 'egress.allow' ? { egress: { allow: [text] } } : { [path]: text }),
        );
        const inProgram = refusalOf(() => optionsOf(['run', `${flag}=${text}`]));
        const leftToProgram = inChart === undefined && ONLY_THE_PROGRAM.test(inProgram ?? '');
        expect([text, inChart === undefined]).toEqual([text, inProgram === undefined || leftToProgram]);
      }),
      { seed: 17, numRuns: runs(10) },
    );
  });

  it.each([...FOREIGN_GROUPS])(
    'the API group of another operator, %s, is refused, with the remedy',
    (apiGroup, plans) => {
      expect(() => objectsWith({ apiGroup })).toThrow(
        `belongs to an operator that has its own hibernatenotifications. Leave apiGroup out, and set planResource: ${plans}`,
      );
      expect(() => objectsWith({ planResource: plans })).not.toThrow();
    },
  );

  it('state their format in the schema, for editors; Helm shows the message of the template', () => {
    const forms = chart.templates.get('templates/_forms.tpl') ?? '';
    const paths = [...forms.matchAll(/\(list "([\w.]+)"/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(15);
    const described = (path: string): string | undefined => {
      let schema: Schema | undefined = chart.schema;
      for (const name of path.split('.')) schema = schema?.properties?.[name];
      return schema?.description;
    };
    expect(paths.filter((path) => described(path) === undefined)).toEqual([]);
  });

  it('are each documented by a comment and known to the schema', async () => {
    const text = await readFile(join(CHART_FOLDER, 'values.yaml'), 'utf8');
    const commentOf = (map: YAMLMap, index: number): string => {
      const { key } = map.items[index] as { key: { commentBefore?: string } };
      // The comment of a first key belongs to the map.
      return key.commentBefore ?? (index === 0 ? map.commentBefore : undefined) ?? '';
    };
    const undocumented: string[] = [];
    const visit = (map: YAMLMap, schema: Schema, path: string): void => {
      const names = map.items.map(({ key }) => String(isScalar(key) ? key.value : key));
      // Helm itself adds `global`.
      const known = Object.keys(schema.properties ?? {}).filter((name) => name !== 'global' || path !== '');
      expect([path, ...known.sort()]).toEqual([path, ...[...names].sort()]);
      for (const [index, { value }] of map.items.entries()) {
        const name = names[index] ?? '';
        const inner = schema.properties?.[name] ?? {};
        if (isMap(value) && inner.properties !== undefined) visit(value, inner, `${path}${name}.`);
        else if (commentOf(map, index) === '') undocumented.push(path + name);
      }
    };
    visit(parseDocument(text).contents as YAMLMap, chart.schema as Schema, '');
    expect(undocumented).toEqual([]);
  });
});

/** What the roles of these objects permit, and where. */
function rightsOf(objects: readonly { readonly kind: string }[]): string[] {
  const roles = (objects as readonly KubeObject[]).filter(({ kind }) => /^(Cluster)?Role$/.test(kind));
  return roles
    .flatMap(({ metadata: { namespace = 'the cluster' }, rules }) =>
      (rules as readonly Rule[]).flatMap(({ apiGroups = [], resources = [], verbs, ...rest }) =>
        (apiGroups.length === 0 ? ['none'] : apiGroups).flatMap((group) =>
          (resources.length === 0 ? ['none'] : resources).map(
            (resource) => `${namespace}: ${group}/${resource} ${verbs.join(' ')} ${JSON.stringify(rest)}`,
          ),
        ),
      ),
    )
    .sort();
}

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
}

describe.skipIf(NO_KUBECTL !== '')(
  `the chart and kustomize${NO_KUBECTL && ` (skipped: ${NO_KUBECTL})`}`,
  () => {
    it.each([
      ['the defaults', 'base'],
      ['some namespaces', 'overlays/namespaced'],
      ['the plans of another operator', 'overlays/hibernator'],
      ['metrics for authorized clients', 'base with components/metrics-auth'],
      [
        'some namespaces, the plans of another operator, CRDs of another owner',
        'overlays/namespaced with components/hibernator',
      ],
    ])('give the same rights, flags and container: %s, %s', async (title, name) => {
      const variant = (wanted: string) => VARIANTS.find(({ name }) => name === wanted)?.objects();
      const ours = await variant(`the chart for ${title}`);
      const theirs = await variant(name);
      if (ours === undefined || theirs === undefined) throw new Error('there is no such variant');
      expect(rightsOf(ours)).toEqual(rightsOf(theirs));
      const [{ containers: our, topologySpreadConstraints: _, ...pod }, { containers: their, ...theirPod }] =
        [podOf(ours).spec, podOf(theirs).spec];
      expect(pod).toEqual(theirPod);
      const { args, imagePullPolicy, ...container } = our[0];
      const { args: theirArgs, ...theirContainer } = their[0];
      expect(imagePullPolicy).toBe('IfNotPresent');
      expect(container).toEqual(theirContainer);
      expect(optionsOf(args)).toEqual(optionsOf(theirArgs));
    });

    it('give tenants the same rights', async () => {
      const ours = objectsWith({ tenantRoles: { create: true } });
      const theirs = (await deployed('tenant-roles.yaml')) as unknown as readonly KubeObject[];
      expect(theirs).toHaveLength(2);
      for (const { metadata, rules } of theirs) {
        const role = ours.find(({ metadata: { name } }) => name === metadata.name);
        expect(role?.rules).toEqual(rules);
        expect(role?.metadata.labels).toMatchObject(metadata.labels ?? {});
      }
    });
  },
);

describe('the files of the chart', () => {
  it('name the version of hnotif', async () => {
    const { appVersion, version } = parse(await readFile(join(CHART_FOLDER, 'Chart.yaml'), 'utf8')) as Record<
      string,
      string
    >;
    expect([appVersion, version]).toEqual([VERSION, VERSION]);
  });

  it('give Prometheus and Grafana the same as deploy/monitoring, about existing metrics', async () => {
    const objects = objectsWith({ prometheusRule: { create: true }, dashboard: { create: true } });
    const file = (name: string) => readFile(join(CHART_FOLDER, '../../monitoring', name), 'utf8');
    const rules = await file('rules.yaml');
    const dashboard = await file('dashboard.json');
    expect(specOf(byKind(objects, 'PrometheusRule')[0])).toEqual(parse(rules));
    const [config] = byKind(objects, 'ConfigMap');
    expect(config?.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    expect(JSON.parse((config?.data as Record<string, string>)['hnotif.json'] ?? '')).toEqual(
      JSON.parse(dashboard),
    );
    const known = new Set<string>(Object.values(METRICS).map(({ name }) => name));
    const named = [...`${rules}${dashboard}`.matchAll(/\bhnotif_\w+/g)].map(([name]) =>
      name.replace(/_(bucket|sum|count)$/, ''),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
