import { NAMESPACES } from './builtins.ts';
import type { Cluster } from './cluster.ts';
import { CLEANUP, CRDS_ID, isEstablished } from './crds.ts';
import { IN_BACKGROUND, remove } from './delete.ts';
import { GarbageCollector } from './gc.ts';
import type { Change } from './history.ts';
import { textAt } from './json.ts';
import type { KubeObject } from './object.ts';
import { finalizersOf } from './object.ts';
import type { Resource } from './resource.ts';
import { resourceId } from './resource.ts';
import { amend } from './update.ts';
import type { Work } from './work.ts';

/** Updates the registry from the CRDs. It must be called before all other listeners. */
export function followCrds({ registry }: Cluster, change: Change): void {
  if (change.resource !== CRDS_ID) return;
  if (change.type === 'DELETED' || !isEstablished(change.object))
    registry.forget(change.object.metadata.name);
  else registry.define(change.object);
}

/** The controllers of the cluster. Each change that needs more work starts it. */
export function startControllers(cluster: Cluster, work: Work): (change: Change) => void {
  const collector = new GarbageCollector(cluster, work);
  return (change) => {
    collector.observe(change);
    const { object, resource, type } = change;
    const { namespace, name } = object.metadata;
    if (resource === NAMESPACES.id) emptyNamespace(cluster, work, name);
    else if (namespace !== undefined && type === 'DELETED') emptyNamespace(cluster, work, namespace);
    if (resource === CRDS_ID) {
      emptyCrd(cluster, work, name);
      if (type === 'DELETED') reviewNames(cluster, work, object);
    } else if (type === 'DELETED') emptyCrd(cluster, work, resource);
  };
}

/** Deletes everything in a namespace that is being deleted, and then the namespace. */
function emptyNamespace(cluster: Cluster, work: Work, name: string): void {
  const { store, registry } = cluster;
  if (!store.get(NAMESPACES.id, name)?.metadata.deletionTimestamp) return;
  work.add(`namespace ${name}`, () => {
    const namespace = store.get(NAMESPACES.id, name);
    if (!namespace?.metadata.deletionTimestamp) return;
    let left = 0;
    for (const id of store.resources()) {
      const resource = registry.ofTable(id);
      if (resource?.namespaced) left += removeAll(cluster, resource, store.each(id, name));
    }
    if (left > 0) return;
    amend(cluster, NAMESPACES, namespace, (copy) => {
      copy.spec = {};
    });
  });
}

/** Deletes the instances of a CRD that is being deleted, and then the CRD. */
function emptyCrd(cluster: Cluster, work: Work, name: string): void {
  const { store, registry } = cluster;
  if (!store.get(CRDS_ID, name)?.metadata.deletionTimestamp) return;
  work.add(`crd ${name}`, () => {
    const crd = store.get(CRDS_ID, name);
    const crds = registry.ofTable(CRDS_ID);
    if (!crd?.metadata.deletionTimestamp || !crds) return;
    const resource = isEstablished(crd) ? registry.ofTable(name) : undefined;
    if (resource && removeAll(cluster, resource, store.each(name)) > 0) return;
    amend(cluster, crds, crd, (copy) => {
      copy.metadata.finalizers = finalizersOf(copy).filter((each) => each !== CLEANUP);
    });
  });
}

/** @returns how many remain, because of finalizers */
function removeAll(cluster: Cluster, resource: Resource, objects: Iterable<KubeObject>): number {
  let left = 0;
  for (const object of [...objects]) {
    const waiting = object.metadata.deletionTimestamp !== undefined;
    if (waiting || !remove(cluster, resource, object, IN_BACKGROUND).gone) left += 1;
  }
  return left;
}

/** The names of a deleted CRD are free for others of its group. */
function reviewNames(cluster: Cluster, work: Work, gone: KubeObject): void {
  const crds = cluster.registry.ofTable(CRDS_ID);
  const group = textAt(gone, 'spec', 'group');
  for (const crd of [...cluster.store.each(CRDS_ID)]) {
    const { name } = crd.metadata;
    if (!crds || isEstablished(crd) || textAt(crd, 'spec', 'group') !== group) continue;
    work.add(`names ${resourceId(group, name)}`, () => {
      const current = cluster.store.get(CRDS_ID, name);
      if (!current) return;
      amend(cluster, crds, current, (copy) => {
        crds.strategy.prepareUpdate(copy, current);
      });
    });
  }
}
