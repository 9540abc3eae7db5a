import { managedFields } from './managed-fields.ts';
import { API, appOf, ENVIRONMENTS, namespaceOf, uidOf, type Scale } from './objects.ts';

/** Selectors for one application, in the forms that people write. */
function selectorOf(index: number): object {
  const app = appOf(index);
  switch (index % 10) {
    case 7:
      return { matchLabels: { app, environment: ENVIRONMENTS[(index % 7) % 4] } };
    case 8:
      return { matchLabels: { app }, matchExpressions: [{ key: 'team', operator: 'Exists' }] };
    case 9:
      return {
        matchLabels: {},
        matchExpressions: [
          { key: 'environment', operator: 'NotIn', values: ['sandbox', 'demo'] },
          { key: 'app', operator: 'In', values: [app, `${app}-next`] },
        ],
      };
    default:
      return { matchLabels: { app } };
  }
}

const secretOf = (index: number): string => `audit-${index}`;

export function aNotification(index: number, scale: Scale): object {
  const namespace = namespaceOf(index, scale);
  const name = `night-watch-${index}`;
  const labels = { team: `team-${index % 100}` };
  const spec = {
    selector: selectorOf(index),
    onEvents: ['Start', 'Success', 'Failure', 'Recovery'],
    sinks: [{ name: 'audit', type: 'webhook', secretRef: { name: secretOf(index) } }],
  };
  const applied = {
    apiVersion: API,
    kind: 'HibernateNotification',
    metadata: { labels, name, namespace },
    spec,
  };
  return {
    apiVersion: API,
    kind: 'HibernateNotification',
    metadata: {
      name,
      namespace,
      uid: uidOf(`notification ${namespace}/${name}`),
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels,
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(applied)}\n` },
      managedFields: managedFields({ labels, annotations: {}, spec }, {}).slice(0, 1),
    },
    spec,
  };
}

export function aSecret(index: number, scale: Scale): object {
  const config = { url: `https://audit-${index % 100}.example.com/hooks/hibernation` };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: secretOf(index),
      namespace: namespaceOf(index, scale),
      uid: uidOf(`secret ${index}`),
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    type: 'Opaque',
    data: { config: Buffer.from(JSON.stringify(config)).toString('base64') },
  };
}
