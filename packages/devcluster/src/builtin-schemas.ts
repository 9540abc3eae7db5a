import type { JsonObject } from './json.ts';

/** The built-in kinds as structural schemas, by their Go types (k8s.io/api). */

const string = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const strings = { type: 'array', items: string };
const textMap = { type: 'object', additionalProperties: string };
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const time = { type: 'string', nullable: true, format: 'date-time' };
/** `metav1.MicroTime` reads exactly six digits after the point. */
const microTime = {
  type: 'string',
  nullable: true,
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}(Z|[+-]\\d\\d:\\d\\d)$',
};

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

const root = (properties: JsonObject): JsonObject =>
  object({ apiVersion: string, kind: string, metadata: { type: 'object' }, ...properties });

const listMap = (key: string, items: JsonObject): JsonObject => ({
  ...{ type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [key] },
});

const atomic = (properties: JsonObject): JsonObject => ({
  ...object(properties),
  'x-kubernetes-map-type': 'atomic',
});

const condition = object({
  type: string,
  status: string,
  lastTransitionTime: time,
  reason: string,
  message: string,
  observedGeneration: integer,
});

export const namespaceSchema = root({
  spec: object({ finalizers: strings }),
  status: object({ phase: string, conditions: listMap('type', condition) }),
});

export const secretSchema = root({ data: textMap, stringData: textMap, type: string, immutable: boolean });

export const configMapSchema = root({ data: textMap, binaryData: textMap, immutable: boolean });

export const leaseSchema = root({
  spec: object({
    holderIdentity: string,
    leaseDurationSeconds: integer,
    acquireTime: microTime,
    renewTime: microTime,
    leaseTransitions: integer,
    strategy: string,
    preferredHolder: string,
  }),
});

const reference = atomic({
  kind: string,
  namespace: string,
  name: string,
  uid: string,
  apiVersion: string,
  resourceVersion: string,
  fieldPath: string,
});

export const eventSchema = root({
  involvedObject: reference,
  related: reference,
  reason: string,
  message: string,
  source: object({ component: string, host: string }),
  firstTimestamp: time,
  lastTimestamp: time,
  count: integer,
  type: string,
  eventTime: microTime,
  series: object({ count: integer, lastObservedTime: microTime }),
  action: string,
  reportingComponent: string,
  reportingInstance: string,
});

export const serviceAccountSchema = root({
  secrets: listMap('name', reference),
  imagePullSecrets: { type: 'array', items: atomic({ name: string }) },
  automountServiceAccountToken: boolean,
});

export const roleSchema = root({
  rules: {
    type: 'array',
    nullable: true,
    items: object({
      verbs: strings,
      apiGroups: strings,
      resources: strings,
      resourceNames: strings,
      nonResourceURLs: strings,
    }),
  },
  aggregationRule: anything,
});

export const bindingSchema = root({
  subjects: {
    type: 'array',
    nullable: true,
    items: atomic({ kind: string, apiGroup: string, name: string, namespace: string }),
  },
  roleRef: atomic({ apiGroup: string, kind: string, name: string }),
});

const accessAttributes = {
  resourceAttributes: object({
    namespace: string,
    verb: string,
    group: string,
    version: string,
    resource: string,
    subresource: string,
    name: string,
    fieldSelector: anything,
    labelSelector: anything,
  }),
  nonResourceAttributes: object({ path: string, verb: string }),
};

export const selfAccessReviewSchema = root({ spec: object(accessAttributes), status: anything });

export const accessReviewSchema = root({
  spec: object({ ...accessAttributes, user: string, groups: strings, extra: anything, uid: string }),
  status: anything,
});

export const selfReviewSchema = root({ status: anything });

export const tokenReviewSchema = root({
  spec: object({ token: string, audiences: strings }),
  status: anything,
});

const names = object({
  plural: string,
  singular: string,
  kind: string,
  listKind: string,
  shortNames: strings,
  categories: strings,
});

export const crdSchema = root({
  spec: object({
    group: string,
    names,
    scope: string,
    preserveUnknownFields: boolean,
    conversion: object({ strategy: string, webhook: anything }),
    versions: {
      type: 'array',
      items: object({
        name: string,
        served: boolean,
        storage: boolean,
        deprecated: boolean,
        deprecationWarning: string,
        schema: object({ openAPIV3Schema: anything }),
        subresources: object({ status: anything, scale: anything }),
        additionalPrinterColumns: {
          type: 'array',
          items: object({
            name: string,
            type: string,
            format: string,
            description: string,
            priority: integer,
            jsonPath: string,
          }),
        },
        selectableFields: { type: 'array', items: object({ jsonPath: string }) },
      }),
    },
  }),
  status: object({
    conditions: { type: 'array', items: condition },
    acceptedNames: names,
    storedVersions: strings,
  }),
});
