import type { Clock } from '../clock.ts';
import type { ClusterAccess } from './credentials.ts';
import { inClusterAccess, type InCluster } from './in-cluster.ts';
import { accessOf } from './kubeconfig-access.ts';
import type { Selection } from './kubeconfig.ts';

/**
 * A way to a cluster as it was found: plain data, by which any thread opens connections of its own. Not the names of files alone,
 * since a kubeconfig may be a pipe, which can be read once. It may hold credentials: nothing but `openAccess` reads it.
 */
export type AccessSource =
  | { readonly kind: 'in-cluster'; readonly pod: InCluster }
  | { readonly kind: 'kubeconfig'; readonly selection: Selection };

/** Opens a way that was found; reads the files which it names. Throws an `AccessError`. */
export function openAccess(
  source: AccessSource,
  { clock, env }: { readonly clock: Clock; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<ClusterAccess> {
  return source.kind === 'in-cluster'
    ? inClusterAccess(clock, source.pod)
    : accessOf(source.selection, clock, env);
}
