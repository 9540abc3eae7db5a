import { describe, expect, it } from 'vitest';
import {
  NO_CONNECTOR,
  parseCloudProvider,
  parseK8SCluster,
  resolveConnector,
  type ConnectorLookup,
} from './connectors.ts';

const named = (name: string, spec: object) => ({ metadata: { namespace: 'ns', name, uid: name }, spec });

const providers = [
  named('aws', { type: 'aws', aws: { accountId: '123456789012', region: 'eu-west-1' } }),
  named('gcp', { type: 'gcp', gcp: { projectId: 'analytics', region: 'europe-west3' } }),
  named('bare', { type: 'gcp' }),
].map(parseCloudProvider);
const clusters = [
  named('eks', { providerRef: { name: 'aws' }, eks: { name: 'blue', region: 'eu-north-1' } }),
  named('gke', {
    providerRef: { name: 'gcp', namespace: 'ns' },
    gke: { name: 'green', project: 'apps', location: 'europe-west4-a' },
  }),
  named('here', { k8s: { inCluster: true } }),
  named('there', { k8s: { kubeconfigRef: { name: 'x' } } }),
  named('lost', { providerRef: { name: 'nobody' }, eks: { name: 'red', region: 'eu-west-1' } }),
].map(parseK8SCluster);

const lookup: ConnectorLookup = {
  cloudProvider: (namespace, name) =>
    providers.find((one) => one.namespace === namespace && one.name === name),
  k8sCluster: (namespace, name) => clusters.find((one) => one.namespace === namespace && one.name === name),
};

const resolve = (kind: string, name: string, namespace = 'ns') =>
  resolveConnector({ kind, name, namespace }, lookup);

describe('resolveConnector', () => {
  it.each([
    ['CloudProvider', 'aws', { provider: 'aws', accountId: '123456789012', region: 'eu-west-1' }],
    ['CloudProvider', 'gcp', { provider: 'gcp', projectId: 'analytics', region: 'europe-west3' }],
    ['CloudProvider', 'bare', { provider: 'gcp' }],
    [
      'K8SCluster',
      'eks',
      { provider: 'aws', accountId: '123456789012', region: 'eu-north-1', clusterName: 'blue' },
    ],
    [
      'K8SCluster',
      'gke',
      { provider: 'gcp', projectId: 'apps', region: 'europe-west4-a', clusterName: 'green' },
    ],
    ['K8SCluster', 'here', { clusterName: 'in-cluster' }],
    ['K8SCluster', 'there', { clusterName: 'remote' }],
    ['K8SCluster', 'lost', { region: 'eu-west-1', clusterName: 'red' }],
    ['K8SCluster', 'unknown', {}],
    ['CloudProvider', 'eks', {}],
    ['Teapot', 'aws', {}],
  ])('knows of %s %s what its manifests say', (kind, name, expected) => {
    expect(resolve(kind, name)).toEqual({ ...NO_CONNECTOR, kind, name, ...expected });
  });

  it('looks in the namespace of the reference', () => {
    expect(resolve('CloudProvider', 'aws', 'other').provider).toBe('');
  });

  it('is empty without a reference', () => {
    expect(resolveConnector(undefined, lookup)).toBe(NO_CONNECTOR);
  });
});
