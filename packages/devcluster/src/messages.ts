/** The messages in which built-in objects come as protobuf: those of `generated.proto` in k8s.io/api and k8s.io/apimachinery. */

export type Scalar = 'string' | 'bytes' | 'int' | 'bool' | 'time' | 'microTime' | 'ignore';
export interface Type {
  readonly of: Scalar | Message;
  readonly as?: 'list' | 'map';
}
/** Field number → name and type. */
export type Message = ReadonlyMap<number, readonly [name: string, type: Type]>;

type Field = readonly [number, string, (Scalar | Message)?, Type['as']?];

/** Fields are strings unless they say otherwise. */
export const message = (...fields: readonly Field[]): Message =>
  new Map(fields.map(([number, name, of = 'string', as]) => [number, [name, { of, ...(as && { as }) }]]));

const owner = message(
  [1, 'kind'],
  [3, 'name'],
  [4, 'uid'],
  [5, 'apiVersion'],
  [6, 'controller', 'bool'],
  [7, 'blockOwnerDeletion', 'bool'],
);

const metadata = message(
  [1, 'name'],
  [2, 'generateName'],
  [3, 'namespace'],
  [5, 'uid'],
  [6, 'resourceVersion'],
  [7, 'generation', 'int'],
  [8, 'creationTimestamp', 'time'],
  [9, 'deletionTimestamp', 'time'],
  [10, 'deletionGracePeriodSeconds', 'int'],
  [11, 'labels', 'string', 'map'],
  [12, 'annotations', 'string', 'map'],
  [13, 'ownerReferences', owner, 'list'],
  [14, 'finalizers', 'string', 'list'],
  [17, 'managedFields', 'ignore'],
);

const reference = message(
  [1, 'kind'],
  [2, 'namespace'],
  [3, 'name'],
  [4, 'uid'],
  [5, 'apiVersion'],
  [6, 'resourceVersion'],
  [7, 'fieldPath'],
);

const rule = message(
  [1, 'verbs', 'string', 'list'],
  [2, 'apiGroups', 'string', 'list'],
  [3, 'resources', 'string', 'list'],
  [4, 'resourceNames', 'string', 'list'],
  [5, 'nonResourceURLs', 'string', 'list'],
);

const role = message([1, 'metadata', metadata], [2, 'rules', rule, 'list'], [3, 'aggregationRule', 'ignore']);

const binding = message(
  [1, 'metadata', metadata],
  [2, 'subjects', message([1, 'kind'], [2, 'apiGroup'], [3, 'name'], [4, 'namespace']), 'list'],
  [3, 'roleRef', message([1, 'apiGroup'], [2, 'kind'], [3, 'name'])],
);

/** By kind. */
export const MESSAGES = new Map<string, Message>([
  ['Role', role],
  ['ClusterRole', role],
  ['RoleBinding', binding],
  ['ClusterRoleBinding', binding],
  [
    'ServiceAccount',
    message(
      [1, 'metadata', metadata],
      [2, 'secrets', reference, 'list'],
      [3, 'imagePullSecrets', message([1, 'name']), 'list'],
      [4, 'automountServiceAccountToken', 'bool'],
    ),
  ],
  [
    'SelfSubjectAccessReview',
    message(
      [1, 'metadata', metadata],
      [
        2,
        'spec',
        message(
          [
            1,
            'resourceAttributes',
            message(
              [1, 'namespace'],
              [2, 'verb'],
              [3, 'group'],
              [4, 'version'],
              [5, 'resource'],
              [6, 'subresource'],
              [7, 'name'],
            ),
          ],
          [2, 'nonResourceAttributes', message([1, 'path'], [2, 'verb'])],
        ),
      ],
      [3, 'status', 'ignore'],
    ),
  ],
  ['SelfSubjectReview', message([1, 'metadata', metadata], [2, 'status', 'ignore'])],
  [
    'TokenRequest',
    message(
      [1, 'metadata', metadata],
      [
        2,
        'spec',
        message(
          [1, 'audiences', 'string', 'list'],
          [3, 'boundObjectRef', message([1, 'kind'], [2, 'apiVersion'], [3, 'name'], [4, 'uid'])],
          [4, 'expirationSeconds', 'int'],
        ),
      ],
      [3, 'status', 'ignore'],
    ),
  ],
  [
    'Namespace',
    message(
      [1, 'metadata', metadata],
      [2, 'spec', message([1, 'finalizers', 'string', 'list'])],
      [3, 'status', message([1, 'phase'], [2, 'conditions', 'ignore'])],
    ),
  ],
  [
    'Secret',
    message(
      [1, 'metadata', metadata],
      [2, 'data', 'bytes', 'map'],
      [3, 'type'],
      [4, 'stringData', 'string', 'map'],
      [5, 'immutable', 'bool'],
    ),
  ],
  [
    'ConfigMap',
    message(
      [1, 'metadata', metadata],
      [2, 'data', 'string', 'map'],
      [3, 'binaryData', 'bytes', 'map'],
      [4, 'immutable', 'bool'],
    ),
  ],
  [
    'Event',
    message(
      [1, 'metadata', metadata],
      [2, 'involvedObject', reference],
      [3, 'reason'],
      [4, 'message'],
      [5, 'source', message([1, 'component'], [2, 'host'])],
      [6, 'firstTimestamp', 'time'],
      [7, 'lastTimestamp', 'time'],
      [8, 'count', 'int'],
      [9, 'type'],
      [10, 'eventTime', 'microTime'],
      [11, 'series', message([1, 'count', 'int'], [2, 'lastObservedTime', 'microTime'])],
      [12, 'action'],
      [13, 'related', reference],
      [14, 'reportingComponent'],
      [15, 'reportingInstance'],
    ),
  ],
  [
    'Lease',
    message(
      [1, 'metadata', metadata],
      [
        2,
        'spec',
        message(
          [1, 'holderIdentity'],
          [2, 'leaseDurationSeconds', 'int'],
          [3, 'acquireTime', 'microTime'],
          [4, 'renewTime', 'microTime'],
          [5, 'leaseTransitions', 'int'],
          [6, 'strategy'],
          [7, 'preferredHolder'],
        ),
      ],
    ),
  ],
  [
    'DeleteOptions',
    message(
      [1, 'gracePeriodSeconds', 'int'],
      [2, 'preconditions', message([1, 'uid'], [2, 'resourceVersion'])],
      [3, 'orphanDependents', 'bool'],
      [4, 'propagationPolicy'],
      [5, 'dryRun', 'string', 'list'],
    ),
  ],
]);
