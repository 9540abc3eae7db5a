import type { Access } from '../../cluster/reviews.ts';
import { cloudProvidersOf, k8sClustersOf, type ResourceType } from '@hnotif/core/resources';

const WATCH = ['list', 'watch'];

/** What hnotif does with the resources of a namespace, or of all namespaces. A test compares it with deploy/kustomize. */
export function rightsInNamespace(
  apiGroup: string,
  plans: ResourceType,
  namespace: string,
): readonly Access[] {
  const rules: readonly (readonly [group: string, resource: string, verbs: readonly string[]])[] = [
    ...[plans, cloudProvidersOf(plans), k8sClustersOf(plans)].map(
      ({ group, plural }) => [group, plural, WATCH] as const,
    ),
    [apiGroup, 'hibernatenotifications', WATCH],
    [apiGroup, 'hibernatenotifications/status', ['patch']],
    [apiGroup, 'hibernatenotificationjournals', [...WATCH, 'get', 'create', 'patch', 'delete']],
    ['', 'events', ['create', 'patch']],
    ['', 'secrets', ['get']],
    ['', 'configmaps', ['get']],
  ];
  return rules.flatMap(([group, resource, verbs]) =>
    verbs.map((verb) => ({ verb, group, resource, namespace })),
  );
}

/** What it does with its Lease. A right to create cannot be limited to a name. */
export const rightsOfLease = (namespace: string, name: string): readonly Access[] => {
  const lease = { group: 'coordination.k8s.io', resource: 'leases', namespace };
  return [{ ...lease, verb: 'create' }, ...['get', 'update'].map((verb) => ({ ...lease, verb, name }))];
};
