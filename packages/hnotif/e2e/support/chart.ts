import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readChart, renderChart, type KubeObject, type Values } from '@hnotif/helm';
import { Command } from 'commander';
import { parse } from 'yaml';
import { controllerOptions } from '../../src/cli/controller-options.ts';
import { addRunFlags, type RunFlags } from '../../src/cli/flags.ts';
import type { ControllerOptions } from '../../src/controller/options.ts';

const ROOT = join(import.meta.dirname, '../../../..');
export const CHART_FOLDER = join(ROOT, 'deploy/helm/hnotif');
export const chart = await readChart(CHART_FOLDER);

/** A values file, as `--values` reads it. */
export const valuesFile = async (path: string): Promise<Values> =>
  parse(await readFile(join(ROOT, path), 'utf8')) as Values;

const MULTI_TENANT = await valuesFile('deploy/helm/hnotif/values-multi-tenant.yaml');

/** The capabilities that an API server of Kubernetes 1.32 reports, as far as the chart uses them. */
const CURRENT = [
  'v1',
  'admissionregistration.k8s.io/v1',
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy',
];

/** A rendering of the chart. */
export interface Rendition {
  readonly title: string;
  /** One values file. */
  readonly values: Values;
  /** The name of the release. Default: hnotif. */
  readonly release?: string;
  /** Where it is installed. Default: hnotif. */
  readonly namespace?: string;
  /** Whether its rights and flags are tested with the controller. Default: no. */
  readonly shipped?: boolean;
  /** Default: the capabilities of Kubernetes 1.32. */
  readonly apiVersions?: readonly string[];
}

const HIBERNATOR = 'hibernateplans.v1alpha1.hibernator.ardikabs.com';
const NARROW: Values = { watchNamespaces: ['payments', 'search'] };
const ON = { create: true };

/** The values that the chart is tested with. */
export const RENDITIONS: readonly Rendition[] = [
  { title: 'the defaults', shipped: true, values: {} },
  { title: 'a cluster without ValidatingAdmissionPolicy', values: {}, apiVersions: ['v1'] },
  { title: 'several teams', values: MULTI_TENANT },
  { title: 'some namespaces', shipped: true, values: NARROW },
  { title: 'the plans of another operator', shipped: true, values: { planResource: HIBERNATOR } },
  {
    title: 'some namespaces, the plans of another operator, CRDs of another owner',
    shipped: true,
    values: { ...NARROW, planResource: HIBERNATOR, crds: { install: false } },
  },
  { title: 'another API group', shipped: true, values: { apiGroup: 'sleep.example.com' } },
  { title: 'metrics for authorized clients', shipped: true, values: { metrics: { auth: true } } },
  {
    title: 'a second installation',
    release: 'blue',
    values: {
      instance: 'blue',
      crds: { install: false },
      journalPolicy: { create: true, allowedUsers: ['system:serviceaccount:hnotif:hnotif'] },
    },
  },
  {
    title: 'three replicas on three nodes',
    values: {
      replicas: 3,
      podDisruptionBudget: { maxUnavailable: '50%' },
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
      ],
      priorityClassName: 'system-cluster-critical',
    },
  },
  {
    title: 'everything on',
    values: {
      fullnameOverride: 'night-log',
      image: {
        repository: 'registry.example.com/hnotif',
        digest: `sha256:${'a'.repeat(64)}`,
        pullPolicy: 'Always',
        pullSecrets: [{ name: 'registry' }],
      },
      clusterName: 'prod-eu',
      crossNamespaceConnectors: 'shared,team-a',
      egress: { allow: ['10.20.0.0/16', 'fd00::/64'], deny: ['198.51.100.0/24'], showPrivateAnswers: true },
      extraCA: { secret: 'ca', key: 'tls.crt' },
      proxy: { https: 'http://proxy.example.com:3128', noProxy: '10.0.0.0/8,.svc' },
      log: { level: 'debug', format: 'text' },
      metrics: { auth: true },
      drainTimeoutSeconds: 1_000_000,
      nightsKeptHours: 24,
      extraArgs: ['--max-age=12h', '--bot-api-url=https://bots.example.com'],
      extraEnv: [
        { name: 'TZ', value: 'Asia/Jakarta' },
        { name: 'SECRET', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      ],
      serviceAccount: { name: 'robot', annotations: { 'example.com/role': 'hnotif' } },
      crds: { keep: false },
      journalPolicy: { create: true, allowedGroups: ['system:masters'] },
      tenantRoles: ON,
      securityContext: { runAsUser: null },
      podSecurityContext: { fsGroup: 1000 },
      podAnnotations: { 'example.com/owner': 'platform' },
      podLabels: { 'example.com/tier': 'one' },
      priorityClassName: 'high',
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoSchedule' }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] }],
          },
        },
      },
      networkPolicy: {
        ...ON,
        metricsFrom: [{ namespaceSelector: {} }],
        apiServer: { cidrs: ['10.0.0.1/32'], ports: [6443] },
        extraEgress: [{ ports: [{ port: 3128 }], to: [{ ipBlock: { cidr: '10.9.0.0/16' } }] }],
      },
      service: { annotations: { 'example.com/team': 'platform' } },
      serviceMonitor: {
        ...ON,
        labels: { release: 'prometheus' },
        interval: '1m',
        endpoint: { authorization: { credentials: { name: 'token', key: 'token' } } },
      },
      podMonitor: { ...ON, labels: { release: 'prometheus' } },
      prometheusRule: { ...ON, labels: { release: 'prometheus' } },
      dashboard: { ...ON, annotations: { grafana_folder: 'Platform' } },
    },
  },
  {
    title: 'everything off',
    values: {
      replicas: 1,
      serviceAccount: { create: false, name: 'default' },
      rbac: { create: false },
      crds: { install: false },
      journalPolicy: { create: false },
      podDisruptionBudget: { create: false },
      service: { create: false },
      resources: null,
      topologySpreadConstraints: [],
    },
  },
  {
    title: 'names that YAML takes for something else',
    release: '007',
    namespace: '123',
    values: {
      fullnameOverride: 'y',
      instance: '42',
      watchNamespaces: ['on', '0x1f'],
      extraCA: { secret: 'true' },
      serviceAccount: { name: 'null' },
      priorityClassName: 'no',
      journalPolicy: { create: true },
      serviceMonitor: ON,
    },
  },
  { title: 'a CA in a config map', values: { extraCA: { configMap: 'ca' } } },
];

export const NAMESPACE_OF_RELEASE = 'hnotif';

/** What `helm install` would create. */
export const objectsOf = (rendition: Omit<Rendition, 'title'>): readonly KubeObject[] =>
  renderingOf(rendition).files.flatMap(({ docs }) => docs);

/** @param more values files that come after the first */
export const renderingOf = (
  {
    values,
    release = 'hnotif',
    namespace = NAMESPACE_OF_RELEASE,
    apiVersions = CURRENT,
  }: Omit<Rendition, 'title'>,
  ...more: readonly Values[]
) =>
  renderChart(chart, {
    name: release,
    namespace,
    values: [values, ...more],
    capabilities: { apiVersions },
  });

/** The pod of a Deployment, with the fields that the tests use. */
export interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly serviceAccountName: string;
    readonly terminationGracePeriodSeconds: number;
    readonly volumes?: readonly object[];
    readonly containers: readonly [
      {
        readonly image: string;
        readonly args: readonly string[];
        readonly env: readonly { readonly name: string; readonly value?: string }[];
        readonly [field: string]: unknown;
      },
    ];
    readonly [field: string]: unknown;
  };
}

export function podOf(objects: readonly { readonly kind: string }[]): Pod {
  const deployment = objects.find(({ kind }) => kind === 'Deployment');
  if (deployment === undefined) throw new Error('there is no Deployment');
  return (deployment as unknown as { spec: { template: Pod } }).spec.template;
}

/** Reads the arguments of a pod as the controller does. */
export function optionsOf(args: readonly string[]): ControllerOptions {
  const [command, ...flags] = args;
  if (command !== 'run') throw new Error(`the command is ${command}`);
  const run = addRunFlags(new Command('run'))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  run.parse(flags, { from: 'user' });
  return controllerOptions(run.opts<RunFlags>(), {});
}
