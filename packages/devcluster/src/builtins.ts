import { ageOf } from './age.ts';
import { builtin, builtinStrategy } from './builtin.ts';
import {
  configMapSchema,
  eventSchema,
  leaseSchema,
  namespaceSchema,
  secretSchema,
} from './builtin-schemas.ts';
import { defaultConfigMap, validateConfigMap } from './configmap.ts';
import { entriesAt, isObject, listAt, textAt } from './json.ts';
import { checkLabel } from './names.ts';
import type { KubeObject } from './object.ts';
import { RBAC } from './rbac.ts';
import type { Resource } from './resource.ts';
import { REVIEWS } from './review.ts';
import type { Cause } from './schema/cause.ts';
import { invalid } from './schema/cause.ts';
import { prepareSecret, validateSecret } from './secret.ts';
import { SERVICE_ACCOUNTS } from './service-account.ts';
import { forbidden } from './status.ts';
import { ageColumn, column, nameColumn } from './table.ts';

/** Namespaces that cannot be deleted. All but the last exist from the start. */
const IMMORTAL = ['default', 'kube-system', 'kube-public'];
export const FIRST_NAMESPACES = [...IMMORTAL, 'kube-node-lease'];

function nameNamespace(object: KubeObject): void {
  const labels = object.metadata.labels;
  object.metadata.labels = {
    ...(isObject(labels) && labels),
    'kubernetes.io/metadata.name': object.metadata.name,
  };
}

export const NAMESPACES = builtin(
  {
    group: '',
    version: 'v1',
    plural: 'namespaces',
    kind: 'Namespace',
    shortNames: ['ns'],
    namespaced: false,
    deletesCollections: false,
    statusSubresource: true,
    resets: ['spec', 'status'],
  },
  [
    nameColumn,
    column('Status', (object) => textAt(object, 'status', 'phase'), {
      description: 'The status of the namespace',
    }),
    ageColumn,
  ],
  builtinStrategy(namespaceSchema, {
    checkName: checkLabel,
    fields: { 'status.phase': (object) => textAt(object, 'status', 'phase') },
    prepareCreate(object) {
      nameNamespace(object);
      object.spec = { finalizers: ['kubernetes'] };
      object.status = { phase: 'Active' };
    },
    prepareUpdate(object, old) {
      nameNamespace(object);
      object.spec = old.spec ?? {};
    },
    held: (object) => listAt(object, 'spec', 'finalizers').length > 0,
    prepareDelete(object) {
      if (IMMORTAL.includes(object.metadata.name))
        throw forbidden(NAMESPACES, object.metadata.name, 'this namespace may not be deleted');
      object.status = { ...(isObject(object.status) && object.status), phase: 'Terminating' };
    },
  }),
);

const SECRETS = builtin(
  { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' },
  [
    nameColumn,
    column('Type', (object) => textAt(object, 'type')),
    column('Data', (object) => entriesAt(object, 'data').length),
    ageColumn,
  ],
  builtinStrategy(secretSchema, {
    fields: { type: (object) => textAt(object, 'type') },
    prepareCreate: prepareSecret,
    prepareUpdate: prepareSecret,
    validate: validateSecret,
  }),
);

const CONFIG_MAPS = builtin(
  { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', shortNames: ['cm'] },
  [
    nameColumn,
    column('Data', (object) => entriesAt(object, 'data').length + entriesAt(object, 'binaryData').length),
    ageColumn,
  ],
  builtinStrategy(configMapSchema, {
    prepareCreate: defaultConfigMap,
    prepareUpdate: defaultConfigMap,
    validate: validateConfigMap,
  }),
);

const EVENT_FIELDS = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** When an event was last seen: from its series, else from the old fields, else from the new one. */
const lastSeen = (event: KubeObject): string =>
  textAt(event, 'series', 'lastObservedTime') ||
  textAt(event, 'lastTimestamp') ||
  textAt(event, 'firstTimestamp') ||
  textAt(event, 'eventTime');

const source = (event: KubeObject): string =>
  [
    textAt(event, 'source', 'component') || textAt(event, 'reportingComponent'),
    textAt(event, 'source', 'host') || textAt(event, 'reportingInstance'),
  ]
    .filter((part) => part !== '')
    .join(', ');

export const EVENTS = builtin(
  { group: '', version: 'v1', plural: 'events', kind: 'Event', shortNames: ['ev'] },
  [
    column('Last Seen', (event, now) => ageOf(lastSeen(event), now)),
    column('Type', (event) => textAt(event, 'type')),
    column('Reason', (event) => textAt(event, 'reason')),
    column(
      'Object',
      (event) =>
        `${textAt(event, 'involvedObject', 'kind').toLowerCase()}/${textAt(event, 'involvedObject', 'name')}`,
    ),
    column('Subobject', (event) => textAt(event, 'involvedObject', 'fieldPath'), { priority: 1 }),
    column('Source', source, { priority: 1 }),
    column('Message', (event) => textAt(event, 'message').trim()),
    column(
      'First Seen',
      (event, now) => ageOf(textAt(event, 'firstTimestamp') || textAt(event, 'eventTime'), now),
      {
        priority: 1,
      },
    ),
    column(
      'Count',
      (event) => {
        const count = isObject(event.series) ? event.series.count : event.count;
        return typeof count === 'number' ? count : 1;
      },
      { type: 'integer', priority: 1 },
    ),
    { ...nameColumn, priority: 1 },
  ],
  builtinStrategy(eventSchema, {
    createOnUpdate: true,
    fields: {
      ...Object.fromEntries(
        EVENT_FIELDS.map((field) => [
          `involvedObject.${field}`,
          (event: KubeObject) => textAt(event, 'involvedObject', field),
        ]),
      ),
      reason: (event) => textAt(event, 'reason'),
      type: (event) => textAt(event, 'type'),
      reportingComponent: (event) => textAt(event, 'reportingComponent'),
      source: (event) => textAt(event, 'source', 'component') || textAt(event, 'reportingComponent'),
    },
    validate: validateEvent,
  }),
);

/** An event is in the namespace of its object; for a cluster-wide object in `default`. */
function validateEvent(event: KubeObject): Cause[] {
  const about = textAt(event, 'involvedObject', 'namespace');
  return event.metadata.namespace === (about || 'default')
    ? []
    : [invalid('involvedObject.namespace', about, 'does not match event.namespace')];
}

const LEASES = builtin(
  { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease' },
  [nameColumn, column('Holder', (lease) => textAt(lease, 'spec', 'holderIdentity')), ageColumn],
  builtinStrategy(leaseSchema, {
    createOnUpdate: true,
    unconditionalUpdate: false,
    validate: validateLease,
  }),
);

function validateLease(lease: KubeObject): Cause[] {
  const spec = isObject(lease.spec) ? lease.spec : {};
  const { leaseDurationSeconds: duration, leaseTransitions: transitions } = spec;
  const causes: Cause[] = [];
  if (typeof duration === 'number' && duration <= 0)
    causes.push(invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  if (typeof transitions === 'number' && transitions < 0)
    causes.push(invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'));
  return causes;
}

/** All built-in resources except CRDs, which need the registry. */
export const BUILTINS: readonly Resource[] = [
  CONFIG_MAPS,
  EVENTS,
  LEASES,
  NAMESPACES,
  SECRETS,
  SERVICE_ACCOUNTS,
  ...RBAC,
  ...REVIEWS,
];
