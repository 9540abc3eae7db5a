import { BUILTINS } from './builtins.ts';
import type { KubeObject } from './object.ts';
import type { Resource } from './resource.ts';
import { groupVersion } from './resource.ts';
import { resourcesOf } from './custom.ts';

/** The resources that are served now: the built-in ones, and those of established CRDs. */
export class Registry {
  readonly #builtins: readonly Resource[];
  readonly #custom = new Map<
    string,
    { generation: number | undefined; uid: string; resources: Resource[] }
  >();

  constructor(crds: Resource) {
    this.#builtins = [...BUILTINS, crds];
  }

  /** Every resource in every version. */
  *all(): Generator<Resource> {
    yield* this.#builtins;
    for (const { resources } of this.#custom.values()) yield* resources;
  }

  /** The resource that a URL names. */
  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#first((each) => each.plural === plural && each.group === group && each.version === version);
  }

  /** The resource that an owner reference names, in any version. */
  ofKind(apiVersion: string, kind: string): Resource | undefined {
    const group = apiVersion.includes('/') ? apiVersion.replace(/\/.*$/, '') : '';
    return this.#first((each) => each.kind === kind && each.group === group);
  }

  /** A table's resource in its stored version (or in another one, if that is not served). */
  ofTable(id: string): Resource | undefined {
    return (
      this.#first((each) => each.id === id && each.version === each.storageVersion) ??
      this.#first((each) => each.id === id)
    );
  }

  /** Whether anything is served under a group and version. */
  serves(group: string, version: string): boolean {
    const wanted = groupVersion(group, version);
    return this.#first((each) => groupVersion(each.group, each.version) === wanted) !== undefined;
  }

  /** Serves what an established CRD defines; called again after each change of it. */
  define(crd: KubeObject): void {
    const { name, generation, uid } = crd.metadata;
    const known = this.#custom.get(name);
    // Compiling a schema is expensive. A change of the status or of labels does not need it.
    if (known?.uid === uid && known.generation === generation) return;
    this.#custom.set(name, { generation, uid, resources: resourcesOf(crd) });
  }

  forget(crdName: string): void {
    this.#custom.delete(crdName);
  }

  #first(matches: (resource: Resource) => boolean): Resource | undefined {
    for (const resource of this.all()) if (matches(resource)) return resource;
    return undefined;
  }
}
