import type { Metadata, NamespaceScope } from '@hnotif/core/resources';

type Named = Pick<Metadata, 'namespace' | 'name'>;

/** A map of namespaced objects. It lists the objects of one namespace without a walk over all. */
export class ByName<T extends Named> {
  readonly #namespaces = new Map<string, Map<string, T>>();

  get({ namespace, name }: Named): T | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  set(thing: T): void {
    const ofNamespace = this.#namespaces.get(thing.namespace) ?? new Map<string, T>();
    ofNamespace.set(thing.name, thing);
    this.#namespaces.set(thing.namespace, ofNamespace);
  }

  delete({ namespace, name }: Named): void {
    const ofNamespace = this.#namespaces.get(namespace);
    ofNamespace?.delete(name);
    if (ofNamespace?.size === 0) this.#namespaces.delete(namespace);
  }

  /** All of a namespace (undefined: of all). */
  *of(scope: NamespaceScope): Iterable<T> {
    if (scope !== undefined) yield* this.#namespaces.get(scope)?.values() ?? [];
    else for (const ofNamespace of this.#namespaces.values()) yield* ofNamespace.values();
  }
}
