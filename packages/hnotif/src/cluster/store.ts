import { isNewer } from '@hnotif/core/lifecycle';
import { type Metadata, keyOf } from '@hnotif/core/resources';

/** The changes that a reflector reports. Called synchronously, one after the other. */
export interface Changes<T> {
  /** `previous`: the last known state of the same object (the same uid); undefined: the object is new. */
  changed(object: T, previous: T | undefined): void;
  /** `object`: its last known state. */
  deleted(object: T): void;
}

/** A change, for a call of one of them. */
export type Change<T> =
  | { readonly kind: 'changed'; readonly object: T; readonly previous: T | undefined }
  | { readonly kind: 'deleted'; readonly object: T };

/**
 * The known objects, and the changes by a new version or a list. Each change is made when it is taken. An object that was deleted and
 * created again under its name has both changes, in this order, even when only the list shows it.
 */
export class ObjectStore<T extends Metadata> {
  readonly #objects = new Map<string, T>();

  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(keyOf({ namespace, name }));
  }

  objects(): IterableIterator<T> {
    return this.#objects.values();
  }

  /** Added or modified, by a watch. Ignores versions that are not newer. */
  *put(object: T): Generator<Change<T>> {
    const known = this.#objects.get(keyOf(object));
    if (known !== undefined && !isNewer(object.resourceVersion, known.resourceVersion)) return;
    yield* this.#set(object, known);
  }

  /** Deleted, by a watch, in its version `gone`. */
  *remove(gone: Metadata): Generator<Change<T>> {
    const known = this.#objects.get(keyOf(gone));
    if (known?.uid === gone.uid) yield this.#delete(known);
  }

  /**
   * All objects of a consistent list. Versions may be lower than the known ones, after a restore from a backup. `unreadable`: listed
   * objects that keep their last known state.
   */
  *replace(objects: Iterable<T>, unreadable: readonly Metadata[]): Generator<Change<T>> {
    const listed = new Map<string, T>();
    for (const object of objects) listed.set(keyOf(object), object);
    const kept = new Map(unreadable.map((object) => [keyOf(object), object.uid]));
    for (const [key, known] of [...this.#objects])
      if (!listed.has(key) && kept.get(key) !== known.uid) yield this.#delete(known);
    for (const [key, object] of listed) {
      const known = this.#objects.get(key);
      if (known?.uid !== object.uid || known.resourceVersion !== object.resourceVersion)
        yield* this.#set(object, known);
    }
  }

  *#set(object: T, known: T | undefined): Generator<Change<T>> {
    if (known !== undefined && known.uid !== object.uid) yield this.#delete(known);
    this.#objects.set(keyOf(object), object);
    yield { kind: 'changed', object, previous: known?.uid === object.uid ? known : undefined };
  }

  #delete(known: T): Change<T> {
    this.#objects.delete(keyOf(known));
    return { kind: 'deleted', object: known };
  }
}
