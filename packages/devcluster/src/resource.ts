import type { JsonObject } from './json.ts';
import type { KubeObject } from './object.ts';
import type { Cause } from './schema/cause.ts';
import type { Column } from './table.ts';

/** What an error needs to name a resource. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

/** One resource in one version, as a URL names it. */
export interface Resource extends ResourceName {
  /** The table of the store in which its objects lie, the same for every version: see `resourceId`. */
  readonly id: string;
  readonly version: string;
  /** The version that is stored. */
  readonly storageVersion: string;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Whether a CRD defines it. */
  readonly custom: boolean;
  /** Whether DELETE takes a whole collection: all but namespaces. */
  readonly deletesCollections: boolean;
  /** Whether `/status` is served, so that neither half of the object leaks into the other. */
  readonly statusSubresource: boolean;
  /** Whether it is a question: it can be created alone, is answered at once and never stored. */
  readonly review: boolean;
  readonly columns: readonly Column[];
  readonly strategy: Strategy;
}

/** What a kind does differently. Functions that change their argument get a copy of it. */
export interface Strategy {
  /** Removes unknown fields outside of metadata; returns their paths. */
  prune(object: JsonObject): string[];
  /** Whether a body has the types of its kind: what does not is refused before anything else looks at it (400). */
  decode?(object: JsonObject): Cause[];
  /** Sets defaults, and what the server itself sets, on a new object. */
  prepareCreate(object: KubeObject): void;
  /** The same for a changed object; also carries over what a client may not change. */
  prepareUpdate(object: KubeObject, old: KubeObject): void;
  validate(object: KubeObject, old: KubeObject | undefined): Cause[];
  /** Why the name will not do, in the real server's words. */
  readonly checkName: (name: string) => string[];
  /** Called when a deletion has to wait for finalizers. */
  prepareDelete?(object: KubeObject): void;
  /** Whether something still holds an object whose deletion was asked for, besides `metadata.finalizers`. */
  held?(object: KubeObject): boolean;
  /** Field selectors besides metadata.name and metadata.namespace. */
  readonly fields: Readonly<Record<string, (object: KubeObject) => string>>;
  /** Whether PUT may create. */
  readonly createOnUpdate: boolean;
  /** Whether PUT may come without a resourceVersion. */
  readonly unconditionalUpdate: boolean;
}

/** `secrets`, `leases.coordination.k8s.io`. */
export const resourceId = (group: string, plural: string): string =>
  group === '' ? plural : `${plural}.${group}`;

export const groupVersion = (group: string, version: string): string =>
  group === '' ? version : `${group}/${version}`;

/** The key of an object within its table; in the order of these keys lists are answered. */
export const keyOf = (namespace: string | undefined, name: string): string =>
  namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;

export const keyOfObject = (object: KubeObject): string =>
  keyOf(object.metadata.namespace, object.metadata.name);
