/** Texts by the path of a field. */
export type Texts = ReadonlyMap<string, string>;

const texts = (all: Readonly<Record<string, string>>): Texts => new Map(Object.entries(all));

const role = (scope: string): Texts =>
  texts({
    '': `Permissions ${scope}. They apply to whom a binding names.`,
    rules: 'What is permitted. Nothing can be forbidden.',
    'rules.verbs': 'Verbs: get, list, watch, create, update, patch, delete, deletecollection. `*` is all.',
    'rules.apiGroups': 'API groups of the resources. The empty text is the core group, `*` is all.',
    'rules.resources': 'Resources by their plural; RESOURCE/SUBRESOURCE for a subresource. `*` is all.',
    'rules.resourceNames': 'Names of the permitted objects. None permits all.',
    'rules.nonResourceURLs':
      'Paths that are not resources, such as /healthz. A `*` at the end covers all below.',
    aggregationRule: 'Stored, but this server does not aggregate roles.',
  });

const binding = (scope: string): Texts =>
  texts({
    '': `Gives the permissions of a role to users ${scope}.`,
    roleRef: 'The role. It cannot be changed.',
    subjects: 'Who has the permissions.',
    'subjects.kind': 'User, Group or ServiceAccount.',
    'subjects.name': 'Name of the user, the group or the service account.',
    'subjects.namespace': 'Namespace of the service account.',
  });

/** The texts of the fields of built-in kinds, for `kubectl explain`: by kind, then by path. The empty path is the kind itself. */
export const DESCRIPTIONS: ReadonlyMap<string, Texts> = new Map([
  ['Role', role('in a namespace')],
  ['ClusterRole', role('in all namespaces, for cluster-wide resources and for paths')],
  ['RoleBinding', binding('in a namespace')],
  ['ClusterRoleBinding', binding('in the whole cluster')],
  [
    'ConfigMap',
    texts({
      '': 'Configuration as keys and values.',
      data: 'Values that are text, by key. A key is in data or in binaryData, not in both.',
      binaryData: 'Values that are bytes, as base64, by key.',
      immutable: 'If true, the values cannot be changed any more, and neither can this field.',
    }),
  ],
  [
    'Secret',
    texts({
      '': 'Values that not everybody may read.',
      data: 'Values as base64, by key.',
      stringData: 'Values as text, by key. It can only be written: the server moves them to data.',
      type: 'What the keys mean. Default: Opaque. Some types need certain keys. It cannot be changed.',
      immutable: 'If true, the values cannot be changed any more, and neither can this field.',
    }),
  ],
  [
    'Namespace',
    texts({
      '': 'A scope for names and permissions. Its deletion also deletes what it contains.',
      spec: 'Set by the server.',
      'spec.finalizers': 'Who must act before the namespace is removed.',
      status: 'State of the namespace.',
      'status.phase': 'Active or Terminating.',
      'status.conditions': 'Why a deletion waits.',
    }),
  ],
  [
    'ServiceAccount',
    texts({
      '': 'An account for a program. Its name as a user is system:serviceaccount:NAMESPACE:NAME.',
      secrets: 'Stored, but not used by this server.',
      imagePullSecrets: 'Stored, but not used by this server, which has no pods.',
      automountServiceAccountToken: 'Stored, but not used by this server, which has no pods.',
    }),
  ],
  [
    'Lease',
    texts({
      '': 'A lock that its holder renews, for example to elect a leader. The server stores it and does nothing else.',
      spec: 'State of the lock.',
      'spec.holderIdentity': 'Who has the lock. Empty: nobody.',
      'spec.leaseDurationSeconds': 'How long others wait after the last renewal until they take the lock.',
      'spec.acquireTime': 'When the holder took the lock.',
      'spec.renewTime': 'When the holder last renewed the lock.',
      'spec.leaseTransitions': 'How often the holder has changed.',
      'spec.strategy': 'Stored, but not used by this server.',
      'spec.preferredHolder': 'Stored, but not used by this server.',
    }),
  ],
  [
    'Event',
    texts({
      '': 'A report about an object. It is deleted an hour after its last write.',
      involvedObject: 'The object that the event is about.',
      related: 'A second object.',
      reason: 'Why the event was sent, as one word for programs.',
      message: 'What happened, for people.',
      source: 'Who sent the event.',
      firstTimestamp: 'When it happened first.',
      lastTimestamp: 'When it happened last.',
      count: 'How often it has happened.',
      type: 'Normal or Warning.',
      eventTime: 'When it happened first, with microseconds.',
      series: 'Repetitions.',
      action: 'What was done about it.',
      reportingComponent: 'The program that sent the event.',
      reportingInstance: 'The instance of this program.',
    }),
  ],
  [
    'CustomResourceDefinition',
    texts({
      '': 'Defines a resource that the server then serves like a built-in one.',
      spec: 'The resource.',
      'spec.group': 'API group of the resource.',
      'spec.names': 'Names of the resource.',
      'spec.scope': 'Namespaced or Cluster.',
      'spec.conversion': 'Between versions. This server only has the strategy None.',
      'spec.versions': 'Versions. One of them is stored.',
      'spec.versions.schema': 'Fields of the objects, as an OpenAPI v3 schema.',
      'spec.versions.subresources': 'The status subresource. This server does not have scale.',
      'spec.versions.additionalPrinterColumns': 'Columns that kubectl get shows.',
      status: 'Accepted names, conditions and stored versions. Set by the server.',
    }),
  ],
  ['SelfSubjectReview', texts({ '': 'Asks the server who the caller is.', status: 'The answer.' })],
  [
    'SelfSubjectAccessReview',
    texts({ '': 'Asks whether the caller may do something.', spec: 'The question.', status: 'The answer.' }),
  ],
  [
    'SubjectAccessReview',
    texts({ '': 'Asks whether a user may do something.', spec: 'The question.', status: 'The answer.' }),
  ],
  ['TokenReview', texts({ '': 'Asks whose token this is.', spec: 'The token.', status: 'The answer.' })],
]);
