import type { Clock } from '@hnotif/core/clock';
import type { ClusterAccess } from './credentials.ts';
import { inClusterAccess, type InCluster } from './in-cluster.ts';
import { accessOf } from './kubeconfig-access.ts';
import type { Selection } from './kubeconfig.ts';

/**
 * How to reach a cluster, as plain data, so that any thread can open its own connections. It holds the content of the kubeconfig, since
 * that may be a pipe, which can be read only once. May hold credentials: only `openAccess` reads it.
 */
export type AccessSource =
  | { readonly kind: 'in-cluster'; readonly pod: InCluster }
  | { readonly kind: 'kubeconfig'; readonly selection: Selection };

/** Opens the access; reads the files that it names. Throws an `AccessError`. */
export function openAccess(
  source: AccessSource,
  { clock, env }: { readonly clock: Clock; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<ClusterAccess> {
  return source.kind === 'in-cluster'
    ? inClusterAccess(clock, source.pod)
    : accessOf(source.selection, clock, env);
}
