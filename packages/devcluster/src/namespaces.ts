import type { Cluster } from './cluster.ts';
import { NAMESPACES } from './builtins.ts';
import type { Resource } from './resource.ts';
import { forbidden, notFound } from './status.ts';

/**
 * Whether an object may be created in a namespace (the NamespaceLifecycle admission of a real server).
 *
 * @throws ApiError 404 if the namespace does not exist, 403 if it is being deleted
 */
export function admitToNamespace(
  cluster: Cluster,
  resource: Resource,
  namespace: string,
  name: string,
): void {
  const found = cluster.store.get(NAMESPACES.id, namespace);
  if (!found) throw notFound(NAMESPACES, namespace);
  if (!found.metadata.deletionTimestamp) return;
  throw forbidden(
    resource,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}
