import type { Cluster } from './cluster.ts';
import { create, OWN_WRITE } from './create.ts';
import type { Json, JsonObject } from './json.ts';
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES } from './rbac.ts';
import type { Resource } from './resource.ts';

interface FirstRole {
  readonly name: string;
  readonly rules: Json;
  /** The group to which it is bound. */
  readonly group: string;
}

/** The first roles of a real cluster, but only those that every cluster needs. */
const FIRST_ROLES: readonly FirstRole[] = [
  {
    name: 'cluster-admin',
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ],
    group: 'system:masters',
  },
  {
    name: 'system:discovery',
    rules: [
      {
        nonResourceURLs: [
          '/api',
          '/api/*',
          '/apis',
          '/apis/*',
          '/healthz',
          '/livez',
          '/openapi',
          '/openapi/*',
          '/readyz',
          '/version',
          '/version/',
        ],
        verbs: ['get'],
      },
    ],
    group: 'system:authenticated',
  },
  {
    name: 'system:basic-user',
    rules: [
      { apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews'], verbs: ['create'] },
      { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
    ],
    group: 'system:authenticated',
  },
];

/** Stores the first roles of a cluster and their bindings. */
export function createFirstRoles(cluster: Cluster): void {
  const store = (resource: Resource, name: string, rest: JsonObject): void => {
    const metadata = { name, labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' } };
    create(cluster, resource, undefined, { metadata, ...rest }, OWN_WRITE);
  };
  for (const { name, rules, group } of FIRST_ROLES) {
    store(CLUSTER_ROLES, name, { rules });
    store(CLUSTER_ROLE_BINDINGS, name, {
      roleRef: { kind: 'ClusterRole', name },
      subjects: [{ kind: 'Group', name: group }],
    });
  }
}
