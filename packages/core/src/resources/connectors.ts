import { fieldsOf, type Metadata } from './metadata.ts';
import type { ConnectorRef } from './plan.ts';

/** The account, region or cluster of a target. Fields that do not apply are `''`. */
export interface Connector {
  /** `CloudProvider` or `K8SCluster`; other texts pass through. */
  readonly kind: string;
  readonly name: string;
  /** aws, gcp, … */
  readonly provider: string;
  readonly accountId: string;
  readonly projectId: string;
  readonly region: string;
  readonly clusterName: string;
}

export const NO_CONNECTOR: Connector = {
  kind: '',
  name: '',
  provider: '',
  accountId: '',
  projectId: '',
  region: '',
  clusterName: '',
};

/** The fields of a `CloudProvider` that messages need. Absent fields are `''`. */
export interface CloudProvider extends Metadata {
  /** aws, gcp, … */
  readonly type: string;
  readonly accountId: string;
  readonly projectId: string;
  readonly region: string;
}

/** The fields of a `K8SCluster` that messages need. Absent fields are `''`. */
export interface K8SCluster extends Metadata {
  readonly providerRef: { readonly namespace: string; readonly name: string } | undefined;
  readonly clusterName: string;
  readonly projectId: string;
  readonly region: string;
}

/** Lenient, as the plan's parser is: fields of a wrong type read as absent. Throws `ParseError` for no object. */
export function parseCloudProvider(raw: unknown): CloudProvider {
  const { root, identity } = fieldsOf('CloudProvider', raw);
  const spec = root.object('spec');
  const [aws, gcp] = [spec.object('aws'), spec.object('gcp')];
  return {
    ...identity,
    type: spec.text('type'),
    accountId: aws.text('accountId'),
    projectId: gcp.text('projectId'),
    region: firstText(aws.text('region'), gcp.text('region')),
  };
}

/** Lenient, as the plan's parser is: fields of a wrong type read as absent. Throws `ParseError` for no object. */
export function parseK8SCluster(raw: unknown): K8SCluster {
  const { root, identity } = fieldsOf('K8SCluster', raw);
  const spec = root.object('spec');
  const provider = spec.optionalObject('providerRef');
  const [eks, gke, k8s] = [spec.object('eks'), spec.object('gke'), spec.optionalObject('k8s')];
  const generic = k8s && (k8s.flag('inCluster') === true ? 'in-cluster' : 'remote');
  return {
    ...identity,
    providerRef: provider && {
      name: provider.text('name'),
      namespace: provider.text('namespace') || identity.namespace,
    },
    clusterName: firstText(eks.text('name'), gke.text('name'), generic),
    projectId: gke.text('project'),
    region: firstText(eks.text('region'), gke.text('location')),
  };
}

/** Finds connectors; undefined: it does not exist (yet). */
export interface ConnectorLookup {
  /** Rises with each change of a connector. Absent: they do not change. */
  readonly version?: number;
  cloudProvider(namespace: string, name: string): CloudProvider | undefined;
  k8sCluster(namespace: string, name: string): K8SCluster | undefined;
}

/** Which connectors plans of other namespaces may use: all, none, or those of these namespaces. */
export type ConnectorPolicy = 'all' | 'none' | readonly string[];

/** Whether plans of other namespaces may use the connectors of a namespace. */
export const permits = (policy: ConnectorPolicy, namespace: string): boolean =>
  policy === 'all' || (policy !== 'none' && policy.includes(namespace));

/**
 * A lookup of the connectors that plans of a namespace may use. The provider of a cluster is checked as well. `refused` is called with the
 * namespace of each other connector, whether it exists or not.
 */
export function permittedTo(
  namespace: string,
  policy: ConnectorPolicy,
  lookup: ConnectorLookup,
  refused: (other: string) => void,
): ConnectorLookup {
  const may = (other: string): boolean => {
    if (other === namespace || permits(policy, other)) return true;
    refused(other);
    return false;
  };
  return {
    version: lookup.version,
    cloudProvider: (of, name) => (may(of) ? lookup.cloudProvider(of, name) : undefined),
    k8sCluster: (of, name) => (may(of) ? lookup.k8sCluster(of, name) : undefined),
  };
}

/**
 * The connector of a target, for messages. Fields of a cluster take precedence over those of its provider. A missing connector leaves its
 * fields empty, except kind and name, which come from the reference.
 */
export function resolveConnector(ref: ConnectorRef | undefined, lookup: ConnectorLookup): Connector {
  if (ref === undefined) return NO_CONNECTOR;
  const { kind, name, namespace } = ref;
  const cluster = kind === 'K8SCluster' ? lookup.k8sCluster(namespace, name) : undefined;
  const providerRef = kind === 'CloudProvider' ? ref : cluster?.providerRef;
  const provider = providerRef && lookup.cloudProvider(providerRef.namespace, providerRef.name);
  return {
    kind,
    name,
    provider: provider?.type ?? '',
    accountId: provider?.accountId ?? '',
    projectId: firstText(cluster?.projectId, provider?.projectId),
    region: firstText(cluster?.region, provider?.region),
    clusterName: cluster?.clusterName ?? '',
  };
}

const firstText = (...texts: readonly (string | undefined)[]): string =>
  texts.find((text) => text !== undefined && text !== '') ?? '';
