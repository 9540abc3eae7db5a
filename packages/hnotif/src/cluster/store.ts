import { isNewer } from '@hnotif/core/lifecycle';
import { type Metadata, keyOf } from '@hnotif/core/resources';

/** The changes that a reflector reports. Called synchronously, one after the other. */
export interface Changes<T> {
  /** `previous`: the last known state of the same object (the same uid); undefined: the object is new. */
  changed(object: T, previous: T | undefined): void;
  /** `object`: its last known state. */
  deleted(object: T): void;
}

/**
 * The known objects, and the changes by a new version or a list. An object that was deleted and created again under its name is reported as
 * both, in this order, even when only the list shows it.
 */
export class ObjectStore<T extends Metadata> {
  readonly #objects = new Map<string, T>();
  readonly #changes: Changes<T>;

  constructor(changes: Changes<T>) {
    this.#changes = changes;
  }

  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(keyOf({ namespace, name }));
  }

  objects(): IterableIterator<T> {
    return this.#objects.values();
  }

  /** Added or modified, by a watch. Ignores versions that are not newer. */
  put(object: T): void {
    const known = this.#objects.get(keyOf(object));
    if (known !== undefined && !isNewer(object.resourceVersion, known.resourceVersion)) return;
    this.#set(object, known);
  }

  /** Deleted, by a watch, in its version `gone`. */
  remove(gone: Metadata): void {
    const known = this.#objects.get(keyOf(gone));
    if (known?.uid !== gone.uid) return;
    this.#delete(known);
  }

  /**
   * All objects of a consistent list. Versions may be lower than the known ones, after a restore from a backup. `unreadable`: listed
   * objects that keep their last known state.
   */
  replace(objects: Iterable<T>, unreadable: readonly Metadata[]): void {
    const listed = new Map<string, T>();
    for (const object of objects) listed.set(keyOf(object), object);
    const kept = new Map(unreadable.map((object) => [keyOf(object), object.uid]));
    for (const [key, known] of [...this.#objects])
      if (!listed.has(key) && kept.get(key) !== known.uid) this.#delete(known);
    for (const [key, object] of listed) {
      const known = this.#objects.get(key);
      if (known?.uid !== object.uid || known.resourceVersion !== object.resourceVersion)
        this.#set(object, known);
    }
  }

  #set(object: T, known: T | undefined): void {
    if (known !== undefined && known.uid !== object.uid) this.#delete(known);
    this.#objects.set(keyOf(object), object);
    this.#changes.changed(object, known?.uid === object.uid ? known : undefined);
  }

  #delete(known: T): void {
    this.#objects.delete(keyOf(known));
    this.#changes.deleted(known);
  }
}
