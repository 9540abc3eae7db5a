/**
 * The kinds of the chart that devcluster does not have, as CustomResourceDefinitions: the fields that the chart writes, with the types
 * that Kubernetes' API reference gives them. The server then refuses fields that do not exist, and values of other types.
 *
 * The group of a CustomResourceDefinition has a dot. So Deployments, PodDisruptionBudgets and Services are served by another group,
 * see {@link withStandIns}.
 */
type Leaf = Readonly<Record<string, unknown>>;
/** A schema in short: `[shape]` is a list, and an object has these fields, of which those with `!` are required. */
type Shape = Leaf | readonly [Shape] | { readonly [field: string]: Shape };

const string = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const intOrString = { 'x-kubernetes-int-or-string': true };
const oneOf = (...values: readonly string[]): Leaf => ({ type: 'string', enum: values });
const mapOf = (values: Leaf): Leaf => ({ type: 'object', additionalProperties: values });

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);
const isLeaf = (shape: Shape): shape is Leaf =>
  ('type' in shape && typeof shape.type === 'string') || 'x-kubernetes-int-or-string' in shape;

function schemaOf(shape: Shape): object {
  if (isList(shape)) return { type: 'array', items: schemaOf(shape[0]) };
  if (isLeaf(shape)) return shape;
  const fields: (readonly [string, Shape])[] = Object.entries(shape);
  const required = fields.filter(([name]) => name.endsWith('!')).map(([name]) => name.slice(0, -1));
  const properties = Object.fromEntries(fields.map(([name, of]) => [name.replace('!', ''), schemaOf(of)]));
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

const labels = mapOf(string);
const expressions = [{ 'key!': string, 'operator!': string, values: [string] }] as const;
const selector = { matchLabels: labels, matchExpressions: expressions };
const keyOfObject = { name: string, 'key!': string };
const probe = { httpGet: { path: string, 'port!': intOrString } };

const container = {
  ...{ 'name!': string, image: string, imagePullPolicy: oneOf('Always', 'IfNotPresent', 'Never') },
  args: [string],
  env: [
    {
      ...{ 'name!': string, value: string },
      valueFrom: { secretKeyRef: keyOfObject, configMapKeyRef: keyOfObject },
    },
  ],
  ports: [{ name: string, 'containerPort!': integer }],
  ...{ livenessProbe: probe, readinessProbe: probe },
  resources: { requests: mapOf(intOrString), limits: mapOf(intOrString) },
  securityContext: {
    ...{ allowPrivilegeEscalation: boolean, readOnlyRootFilesystem: boolean, runAsNonRoot: boolean },
    ...{ runAsUser: integer, capabilities: { drop: [string] } },
    seccompProfile: { 'type!': oneOf('RuntimeDefault', 'Unconfined', 'Localhost') },
  },
  volumeMounts: [{ 'name!': string, 'mountPath!': string, readOnly: boolean }],
} as const;

const podSpec = {
  ...{ serviceAccountName: string, terminationGracePeriodSeconds: integer, priorityClassName: string },
  imagePullSecrets: [{ name: string }],
  securityContext: { fsGroup: integer, runAsNonRoot: boolean },
  nodeSelector: labels,
  tolerations: [{ key: string, operator: oneOf('Exists', 'Equal'), value: string, effect: string }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        'nodeSelectorTerms!': [{ matchExpressions: expressions }],
      },
    },
  },
  topologySpreadConstraints: [
    {
      ...{ 'maxSkew!': integer, 'topologyKey!': string, labelSelector: selector },
      'whenUnsatisfiable!': oneOf('DoNotSchedule', 'ScheduleAnyway'),
    },
  ],
  'containers!': [container],
  volumes: [{ 'name!': string, configMap: { name: string }, secret: { secretName: string } }],
} as const;

const port = { port: intOrString, protocol: oneOf('TCP', 'UDP', 'SCTP') };
const peer = {
  ...{ namespaceSelector: selector, podSelector: selector },
  ipBlock: { 'cidr!': string, except: [string] },
} as const;
const endpoint = {
  ...{ port: string, path: string, honorLabels: boolean, interval: string },
  ...{ scheme: oneOf('http', 'https'), authorization: { type: string, credentials: keyOfObject } },
};
const monitored = { namespaceSelector: { matchNames: [string] }, 'selector!': selector } as const;
const rule = {
  ...{ alert: string, record: string, 'expr!': intOrString, for: string, labels, annotations: labels },
};

interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope?: 'Cluster';
  readonly spec: Shape;
}

export const STAND_IN = 'stand-in.example.com';

/** Manifests with the API groups of these definitions. */
export const withStandIns = (text: string): string =>
  text
    .replace(/^apiVersion: (apps|policy)\/v1$/gm, `apiVersion: $1.${STAND_IN}/v1`)
    .replace(/^apiVersion: v1\nkind: Service$/gm, `apiVersion: core.${STAND_IN}/v1\nkind: Service`);

const admission = { group: 'admissionregistration.k8s.io', scope: 'Cluster' } as const;
const monitoring = { group: 'monitoring.coreos.com' };

const KINDS: readonly Kind[] = [
  {
    ...{ group: `apps.${STAND_IN}`, kind: 'Deployment', plural: 'deployments' },
    spec: {
      ...{ replicas: integer, 'selector!': selector },
      'template!': { metadata: { labels, annotations: labels }, spec: podSpec },
    },
  },
  {
    ...{ group: `policy.${STAND_IN}`, kind: 'PodDisruptionBudget', plural: 'poddisruptionbudgets' },
    spec: { maxUnavailable: intOrString, selector },
  },
  {
    ...{ group: `core.${STAND_IN}`, kind: 'Service', plural: 'services' },
    spec: {
      ...{ clusterIP: string, selector: labels },
      ports: [{ name: string, 'port!': integer, targetPort: intOrString, protocol: string }],
    },
  },
  {
    ...{ group: 'networking.k8s.io', kind: 'NetworkPolicy', plural: 'networkpolicies' },
    spec: {
      ...{ 'podSelector!': selector, policyTypes: [oneOf('Ingress', 'Egress')] },
      ingress: [{ ports: [port], from: [peer] }],
      egress: [{ ports: [port], to: [peer] }],
    },
  },
  {
    ...{ ...admission, kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies' },
    spec: {
      failurePolicy: oneOf('Fail', 'Ignore'),
      matchConstraints: {
        resourceRules: [
          {
            ...{ apiGroups: [string], apiVersions: [string], resources: [string] },
            operations: [oneOf('CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*')],
          },
        ],
      },
      validations: [
        {
          ...{ 'expression!': string, message: string },
          reason: oneOf('Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge'),
        },
      ],
    },
  },
  {
    ...{
      ...admission,
      kind: 'ValidatingAdmissionPolicyBinding',
      plural: 'validatingadmissionpolicybindings',
    },
    spec: { policyName: string, validationActions: [oneOf('Deny', 'Warn', 'Audit')] },
  },
  {
    ...{ ...monitoring, kind: 'ServiceMonitor', plural: 'servicemonitors' },
    spec: { ...monitored, 'endpoints!': [endpoint] },
  },
  {
    ...{ ...monitoring, kind: 'PodMonitor', plural: 'podmonitors' },
    spec: { ...monitored, podMetricsEndpoints: [endpoint] },
  },
  {
    ...{ ...monitoring, kind: 'PrometheusRule', plural: 'prometheusrules' },
    spec: { groups: [{ 'name!': string, interval: string, rules: [rule] }] },
  },
];

export const CHART_KIND_CRDS: readonly object[] = KINDS.map(
  ({ group, kind, plural, scope = 'Namespaced', spec }) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      // Needed for groups *.k8s.io.
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
    },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: { openAPIV3Schema: schemaOf({ 'spec!': spec }) },
        },
      ],
    },
  }),
);
