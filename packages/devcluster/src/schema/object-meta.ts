import type { JsonObject } from '../json.ts';

const text = (description: string): JsonObject => ({ type: 'string', description });
const number = (description: string): JsonObject => ({ type: 'integer', format: 'int64', description });
const time = (description: string): JsonObject => ({ type: 'string', format: 'date-time', description });
const texts = (description: string): JsonObject => ({
  type: 'object',
  additionalProperties: { type: 'string' },
  description,
});

const ownerReference: JsonObject = {
  type: 'object',
  'x-kubernetes-map-type': 'atomic',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: {
    apiVersion: text('Group and version of the owner.'),
    kind: text('Kind of the owner.'),
    name: text('Name of the owner.'),
    uid: text('UID of the owner. Another object with the same name is not the owner.'),
    controller: { type: 'boolean', description: 'Whether the owner controls the object. One owner can.' },
    blockOwnerDeletion: {
      type: 'boolean',
      description: 'Whether a foreground deletion of the owner waits for this object.',
    },
  },
};

/** `metav1.ObjectMeta`, which every object has. */
export const objectMetaSchema: JsonObject = {
  type: 'object',
  description: 'The metadata that all objects have.',
  properties: {
    name: text('Name, unique among the objects of the resource in the namespace. It cannot be changed.'),
    generateName: text('Start of a name that the server completes. It is used if there is no name.'),
    namespace: text('Namespace of the object. Empty for cluster-wide objects.'),
    uid: text('Unique in time and space. The server sets it.'),
    resourceVersion: text(
      'Version of the object. It changes with every write. An update of an older version is refused.',
    ),
    generation: number('Number of the desired state. The server increases it with every change of it.'),
    creationTimestamp: time('When the server created the object.'),
    deletionTimestamp: time(
      'When the deletion was requested. The object remains until it has no finalizers.',
    ),
    deletionGracePeriodSeconds: number('Seconds until the object is removed.'),
    labels: texts('Keys and values by which objects are selected.'),
    annotations: texts('Keys and values that nothing selects by.'),
    ownerReferences: {
      type: 'array',
      description: 'The objects on which this one depends. When all are gone, it is deleted.',
      items: ownerReference,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
    },
    finalizers: {
      type: 'array',
      description: 'Names of those who must act before the object is removed.',
      items: { type: 'string' },
      'x-kubernetes-list-type': 'set',
    },
    managedFields: {
      type: 'array',
      description: 'Who owns which fields. Used by server-side apply.',
      items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
};
