import { API, appOf, labelsOf, namespaceOf, type Scale, uidOf } from './objects.ts';
import { initialStatus, type OperatorStatus } from '../../../core/src/lifecycle/operator.ts';
import { DEFAULT_API_GROUP } from '@hnotif/core/resources';
import { stepped, STEPS } from './night.ts';

/** The managed fields of an object: for each writer a tree of the fields that it wrote. */
function managedFields(applied: object, status: object): object[] {
  const entry = (manager: string, fieldsV1: object, subresource?: string): object => ({
    manager,
    operation: 'Update',
    apiVersion: API,
    time: '2026-01-05T20:05:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource !== undefined && { subresource }),
  });
  const { labels, annotations, spec } = applied as Record<string, object>;
  return [
    entry('argocd-controller', fieldsOf({ metadata: { annotations, labels }, spec })),
    entry('hibernator', fieldsOf({ status }), 'status'),
  ];
}

/** Lists without merge keys are one field, as in most custom resources. */
const fieldsOf = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).map(([key, field]: [string, unknown]) => [
      `f:${key}`,
      typeof field === 'object' && field !== null && !Array.isArray(field) ? fieldsOf(field) : {},
    ]),
  );

const KINDS = [
  ...['orders-db', 'reports-db', 'sessions-cache', 'web-nodes', 'worker-nodes'],
  ...['search-nodes', 'build-machines', 'batch-machines', 'events-queue', 'notebooks'],
].map((name, index) => ({ name, type: ['rds', 'eks', 'ec2'][index % 3] ?? 'rds' }));
/** The plans of an application are for its stages, and have targets of the same names. */
export const targetsOf = (index: number, { targets }: Pick<Scale, 'targets'>): typeof KINDS =>
  KINDS.slice(0, targets).map(({ name, type }) => ({ name: `${appOf(index)}-${name}`, type }));
const BEGIN = Date.UTC(2026, 0, 5, 20, 0, 0);
const HOUR = 3_600_000;

/** A plan between two nights, in the form of the API server's answer after writes of GitOps and of the operator. */
export function aPlan(index: number, scale: Scale): object {
  const namespace = namespaceOf(index, scale);
  const name = `nightly-${appOf(index)}-${index}`;
  const labels = labelsOf(index);
  const annotations = {
    'example.com/owner': `team-${index % 100}@example.com`,
    'example.com/runbook': `https://wiki.example.com/runbooks/${name}`,
    'argocd.argoproj.io/tracking-id': `hibernation:${DEFAULT_API_GROUP}/HibernatePlan:${namespace}/${name}`,
  };
  const spec = {
    schedule: {
      timezone: 'Asia/Jakarta',
      offHours: [{ start: '20:00', end: '06:00', daysOfWeek: ['MON', 'TUE', 'WED', 'THU', 'FRI'] }],
    },
    execution: { strategy: { type: 'Parallel', maxConcurrency: 3 } },
    behavior: { mode: 'BestEffort', retries: 3 },
    targets: targetsOf(index, scale).map((target) => ({
      ...target,
      connectorRef: { kind: 'CloudProvider', name: `aws-${labels.environment ?? ''}` },
    })),
  };
  const applied = {
    apiVersion: API,
    kind: 'HibernatePlan',
    metadata: { annotations, labels, name, namespace },
    spec,
  };
  const lastApplied = { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(applied)}\n` };
  const status = statusOf(index, scale);
  return {
    apiVersion: API,
    kind: 'HibernatePlan',
    metadata: {
      name,
      namespace,
      uid: uidOf(`${namespace}/${name}`),
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels,
      annotations: { ...annotations, ...lastApplied },
      managedFields: managedFields({ labels, annotations, spec }, status),
    },
    spec,
    status,
  };
}

/** The status after this number of nights and mornings. Each plan has its own time. */
function statusOf(index: number, scale: Scale): OperatorStatus {
  const nights = Math.max(1, scale.cycles);
  const targets = targetsOf(index, scale);
  let status = initialStatus;
  for (let round = -2 * nights; round < 0; round++)
    for (const [at, step] of STEPS.entries()) {
      const begun = BEGIN + (12 * round + 24 * nights) * HOUR + (index % 600) * 1000;
      status = stepped(status, step, round, targets, begun + at * 60_000);
    }
  return scale.cycles === 0 ? { ...status, executionHistory: [] } : status;
}
