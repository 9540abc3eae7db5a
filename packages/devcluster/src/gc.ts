import type { Cluster } from './cluster.ts';
import { FOREGROUND, IN_BACKGROUND, ORPHAN, remove } from './delete.ts';
import type { Change } from './history.ts';
import type { JsonObject } from './json.ts';
import { isObject, listAt, textAt } from './json.ts';
import type { KubeObject } from './object.ts';
import { finalizersOf } from './object.ts';
import { amend } from './update.ts';
import type { Work } from './work.ts';

/** The location of an object. */
interface Place {
  readonly resource: string;
  readonly key: string;
}

/**
 * Deletes objects without owners, like the garbage collector of kube-controller-manager: in the background, in the foreground
 * (`foregroundDeletion`), or not at all (`orphan`).
 */
export class GarbageCollector {
  readonly #cluster: Cluster;
  readonly #work: Work;
  readonly #places = new Map<string, Place>();
  /** Owner's uid → uids of objects that refer to it. */
  readonly #dependents = new Map<string, Set<string>>();

  constructor(cluster: Cluster, work: Work) {
    this.#cluster = cluster;
    this.#work = work;
  }

  observe({ type, object, previous, resource, key }: Change): void {
    const { uid } = object.metadata;
    for (const owner of previous ? ownersOf(previous) : []) this.#unlink(textAt(owner, 'uid'), uid);
    if (type === 'DELETED') {
      this.#places.delete(uid);
      for (const dependent of this.#dependents.get(uid) ?? []) this.#check(dependent);
      for (const owner of ownersOf(object)) this.#release(textAt(owner, 'uid'));
      return;
    }
    this.#places.set(uid, { resource, key });
    for (const owner of ownersOf(object)) this.#link(textAt(owner, 'uid'), uid);
    if (ownersOf(object).length > 0) this.#check(uid);
    if (previous) for (const owner of ownersOf(previous)) this.#release(textAt(owner, 'uid'));
    if (object.metadata.deletionTimestamp) this.#release(uid);
  }

  #link(owner: string, dependent: string): void {
    const known = this.#dependents.get(owner);
    if (known) known.add(dependent);
    else this.#dependents.set(owner, new Set([dependent]));
  }

  #unlink(owner: string, dependent: string): void {
    const known = this.#dependents.get(owner);
    known?.delete(dependent);
    if (known?.size === 0) this.#dependents.delete(owner);
  }

  #find(uid: string): { object: KubeObject; place: Place } | undefined {
    const place = this.#places.get(uid);
    const object = place && this.#cluster.store.get(place.resource, place.key);
    return place && object?.metadata.uid === uid ? { object, place } : undefined;
  }

  /** Checks whether an object still has an owner. */
  #check(uid: string): void {
    this.#work.add(`check ${uid}`, () => {
      const found = this.#find(uid);
      const resource = found && this.#cluster.registry.ofTable(found.place.resource);
      if (!found || !resource || ownersOf(found.object).length === 0) return;
      const { object } = found;
      const states = ownersOf(object).map((owner) => this.#ownerState(owner, object));
      if (states.includes('solid')) {
        if (states.includes('absent'))
          amend(this.#cluster, resource, object, (copy) => {
            keepOwners(copy, (_owner, index) => states[index] !== 'absent');
          });
        return;
      }
      if (object.metadata.deletionTimestamp) return;
      const inForeground = states.includes('waiting') && this.#dependents.has(uid);
      const propagation = inForeground ? 'Foreground' : IN_BACKGROUND.propagation;
      remove(this.#cluster, resource, object, { ...IN_BACKGROUND, propagation });
    });
  }

  /** An owner whose kind or namespace cannot be looked up counts as existing, as in a real collector. */
  #ownerState(owner: JsonObject, dependent: KubeObject): 'solid' | 'absent' | 'waiting' {
    const resource = this.#cluster.registry.ofKind(textAt(owner, 'apiVersion'), textAt(owner, 'kind'));
    const { namespace } = dependent.metadata;
    if (!resource || (resource.namespaced && namespace === undefined)) return 'solid';
    const found = this.#find(textAt(owner, 'uid'));
    if (found?.place.resource !== resource.id) return 'absent';
    if (found.object.metadata.name !== textAt(owner, 'name')) return 'absent';
    if (resource.namespaced && found.object.metadata.namespace !== namespace) return 'absent';
    const { metadata } = found.object;
    return metadata.deletionTimestamp && finalizersOf(found.object).includes(FOREGROUND)
      ? 'waiting'
      : 'solid';
  }

  /** Does what the finalizers of an owner require when it is deleted, and then removes them. */
  #release(uid: string): void {
    const owner = this.#find(uid)?.object;
    if (!owner?.metadata.deletionTimestamp) return;
    this.#work.add(`release ${uid}`, () => {
      const found = this.#find(uid);
      const resource = found && this.#cluster.registry.ofTable(found.place.resource);
      if (!found || !resource) return;
      const finalizers = finalizersOf(found.object);
      const done = finalizers.filter(
        (name) => (name === ORPHAN && this.#orphan(uid)) || (name === FOREGROUND && this.#emptied(uid)),
      );
      if (done.length === 0) return;
      amend(this.#cluster, resource, found.object, (copy) => {
        setList(
          copy,
          'finalizers',
          finalizers.filter((name) => !done.includes(name)),
        );
      });
    });
  }

  #orphan(owner: string): true {
    for (const dependent of [...(this.#dependents.get(owner) ?? [])]) {
      const found = this.#find(dependent);
      const resource = found && this.#cluster.registry.ofTable(found.place.resource);
      if (found && resource)
        amend(this.#cluster, resource, found.object, (copy) => {
          keepOwners(copy, (reference) => textAt(reference, 'uid') !== owner);
        });
    }
    return true;
  }

  /** Whether no dependent blocks the owner's deletion any more. Deletes those that do. */
  #emptied(owner: string): boolean {
    let blocked = false;
    for (const dependent of this.#dependents.get(owner) ?? []) {
      this.#check(dependent);
      const references = ownersOf(this.#find(dependent)?.object);
      blocked ||= references.some(
        (each) => textAt(each, 'uid') === owner && each.blockOwnerDeletion === true,
      );
    }
    return !blocked;
  }
}

const ownersOf = (object: KubeObject | undefined): JsonObject[] =>
  listAt(object?.metadata, 'ownerReferences').filter(isObject);

function keepOwners(object: KubeObject, keep: (owner: JsonObject, index: number) => boolean): void {
  setList(object, 'ownerReferences', ownersOf(object).filter(keep));
}

function setList(object: KubeObject, field: string, list: JsonObject[] | string[]): void {
  if (list.length > 0) object.metadata[field] = list;
  else Reflect.deleteProperty(object.metadata, field);
}
