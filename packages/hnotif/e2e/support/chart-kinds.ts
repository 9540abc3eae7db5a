/**
 * The kinds of the chart that devcluster does not have, as CustomResourceDefinitions: the fields that the chart writes, with the types
 * that Kubernetes' API reference gives them. The server then refuses fields that do not exist, and values of other types.
 *
 * The group of a CustomResourceDefinition has a dot. So Deployments, PodDisruptionBudgets and Services are served by another group,
 * see {@link withStandIns}.
 */
type Schema = Readonly<Record<string, unknown>>;

const string = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const intOrString = { 'x-kubernetes-int-or-string': true };
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
const object = (properties: Readonly<Record<string, Schema>>, ...required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});
const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values });
const labels = mapOf(string);

const selector = object({
  matchLabels: labels,
  matchExpressions: listOf(
    object({ key: string, operator: string, values: listOf(string) }, 'key', 'operator'),
  ),
});

const keyOfObject = object({ name: string, key: string }, 'key');
const probe = object({ httpGet: object({ path: string, port: intOrString }, 'port') });

const container = object(
  {
    name: string,
    image: string,
    imagePullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
    args: listOf(string),
    env: listOf(
      object(
        {
          name: string,
          value: string,
          valueFrom: object({ secretKeyRef: keyOfObject, configMapKeyRef: keyOfObject }),
        },
        'name',
      ),
    ),
    ports: listOf(object({ name: string, containerPort: integer }, 'containerPort')),
    livenessProbe: probe,
    readinessProbe: probe,
    resources: object({ requests: mapOf(intOrString), limits: mapOf(intOrString) }),
    securityContext: object({
      allowPrivilegeEscalation: boolean,
      readOnlyRootFilesystem: boolean,
      runAsNonRoot: boolean,
      runAsUser: integer,
      capabilities: object({ drop: listOf(string) }),
      seccompProfile: object({ type: oneOf('RuntimeDefault', 'Unconfined', 'Localhost') }, 'type'),
    }),
    volumeMounts: listOf(object({ name: string, mountPath: string, readOnly: boolean }, 'name', 'mountPath')),
  },
  'name',
);

const nodeTerm = object({
  matchExpressions: listOf(
    object({ key: string, operator: string, values: listOf(string) }, 'key', 'operator'),
  ),
});

const podSpec = object(
  {
    serviceAccountName: string,
    terminationGracePeriodSeconds: integer,
    imagePullSecrets: listOf(object({ name: string })),
    securityContext: object({ fsGroup: integer, runAsNonRoot: boolean }),
    priorityClassName: string,
    nodeSelector: labels,
    tolerations: listOf(
      object({ key: string, operator: oneOf('Exists', 'Equal'), value: string, effect: string }),
    ),
    affinity: object({
      nodeAffinity: object({
        requiredDuringSchedulingIgnoredDuringExecution: object(
          { nodeSelectorTerms: listOf(nodeTerm) },
          'nodeSelectorTerms',
        ),
      }),
    }),
    topologySpreadConstraints: listOf(
      object(
        {
          maxSkew: integer,
          topologyKey: string,
          whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway'),
          labelSelector: selector,
        },
        ...['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
      ),
    ),
    containers: listOf(container),
    volumes: listOf(
      object(
        { name: string, configMap: object({ name: string }), secret: object({ secretName: string }) },
        'name',
      ),
    ),
  },
  'containers',
);

const metadata = object({ labels, annotations: labels });

const port = object({ port: intOrString, protocol: oneOf('TCP', 'UDP', 'SCTP') });
const peer = object({
  namespaceSelector: selector,
  podSelector: selector,
  ipBlock: object({ cidr: string, except: listOf(string) }, 'cidr'),
});

const endpoint = object({
  port: string,
  path: string,
  honorLabels: boolean,
  interval: string,
  scheme: oneOf('http', 'https'),
  authorization: object({ type: string, credentials: keyOfObject }),
});
const monitored = {
  namespaceSelector: object({ matchNames: listOf(string) }),
  selector,
};

const rule = object(
  { alert: string, record: string, expr: intOrString, for: string, labels, annotations: labels },
  'expr',
);

interface Kind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope?: 'Cluster';
  readonly spec: Schema;
}

export const STAND_IN = 'stand-in.example.com';

/** Manifests with the API groups of these definitions. */
export const withStandIns = (text: string): string =>
  text
    .replace(/^apiVersion: (apps|policy)\/v1$/gm, `apiVersion: $1.${STAND_IN}/v1`)
    .replace(/^apiVersion: v1\nkind: Service$/gm, `apiVersion: core.${STAND_IN}/v1\nkind: Service`);

const ADMISSION = 'admissionregistration.k8s.io';
const MONITORING = 'monitoring.coreos.com';

const KINDS: readonly Kind[] = [
  {
    group: `apps.${STAND_IN}`,
    kind: 'Deployment',
    plural: 'deployments',
    spec: object(
      { replicas: integer, selector, template: object({ metadata, spec: podSpec }) },
      ...['selector', 'template'],
    ),
  },
  {
    group: `policy.${STAND_IN}`,
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    spec: object({ maxUnavailable: intOrString, selector }),
  },
  {
    group: `core.${STAND_IN}`,
    kind: 'Service',
    plural: 'services',
    spec: object({
      clusterIP: string,
      ports: listOf(
        object({ name: string, port: integer, targetPort: intOrString, protocol: string }, 'port'),
      ),
      selector: labels,
    }),
  },
  {
    group: 'networking.k8s.io',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    spec: object(
      {
        podSelector: selector,
        policyTypes: listOf(oneOf('Ingress', 'Egress')),
        ingress: listOf(object({ ports: listOf(port), from: listOf(peer) })),
        egress: listOf(object({ ports: listOf(port), to: listOf(peer) })),
      },
      'podSelector',
    ),
  },
  {
    group: ADMISSION,
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    scope: 'Cluster',
    spec: object({
      failurePolicy: oneOf('Fail', 'Ignore'),
      matchConstraints: object({
        resourceRules: listOf(
          object({
            apiGroups: listOf(string),
            apiVersions: listOf(string),
            operations: listOf(oneOf('CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*')),
            resources: listOf(string),
          }),
        ),
      }),
      validations: listOf(
        object(
          {
            expression: string,
            message: string,
            reason: oneOf('Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge'),
          },
          'expression',
        ),
      ),
    }),
  },
  {
    group: ADMISSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
    scope: 'Cluster',
    spec: object({ policyName: string, validationActions: listOf(oneOf('Deny', 'Warn', 'Audit')) }),
  },
  {
    group: MONITORING,
    kind: 'ServiceMonitor',
    plural: 'servicemonitors',
    spec: object({ ...monitored, endpoints: listOf(endpoint) }, 'endpoints', 'selector'),
  },
  {
    group: MONITORING,
    kind: 'PodMonitor',
    plural: 'podmonitors',
    spec: object({ ...monitored, podMetricsEndpoints: listOf(endpoint) }, 'selector'),
  },
  {
    group: MONITORING,
    kind: 'PrometheusRule',
    plural: 'prometheusrules',
    spec: object({
      groups: listOf(object({ name: string, interval: string, rules: listOf(rule) }, 'name')),
    }),
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
          schema: { openAPIV3Schema: object({ spec }, 'spec') },
        },
      ],
    },
  }),
);
