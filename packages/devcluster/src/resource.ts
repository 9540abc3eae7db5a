import type { JsonObject } from './json.ts';
import type { KubeObject } from './object.ts';
import type { Cause } from './schema/cause.ts';
import type { SchemaNode } from './schema/node.ts';
import type { Column } from './table.ts';

/** What an error needs to name a resource. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

/** One resource in one version, as a URL names it. */
export interface Resource extends ResourceName {
  /** The table of its objects in the store, the same for all versions: see `resourceId`. */
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
  /** Whether DELETE of a collection is allowed: for all except namespaces. */
  readonly deletesCollections: boolean;
  /** Whether `/status` is served, so that writes change only one half of the object. */
  readonly statusSubresource: boolean;
  /** Whether it is a review: it can only be created, is answered at once, and is not stored. */
  readonly review: boolean;
  /** The fields that only the server sets when an object is created or changed. Default: `status`, if it is a subresource. */
  readonly resets?: readonly string[];
  readonly columns: readonly Column[];
  readonly strategy: Strategy;
}

/** The differences of a kind. Functions that change their argument get a copy. */
export interface Strategy {
  /** The schema as JSON, without metadata. */
  readonly schema: JsonObject;
  /** The same, compiled, with metadata: how an object is divided among its field managers. */
  readonly shape: SchemaNode;
  /** Removes unknown fields outside of metadata; returns their paths. */
  prune(object: JsonObject): string[];
  /** Checks the types of a body. A wrong type is refused before all other checks (400). */
  decode?(object: JsonObject): Cause[];
  /** Sets defaults, and the server's fields, in a new object. */
  prepareCreate(object: KubeObject): void;
  /** The same for a changed object. Also keeps fields that a client may not change. */
  prepareUpdate(object: KubeObject, old: KubeObject): void;
  validate(object: KubeObject, old: KubeObject | undefined): Cause[];
  /** Why the name is invalid, in the real server's words. */
  readonly checkName: (name: string) => string[];
  /** Called when a deletion must wait for finalizers. */
  prepareDelete?(object: KubeObject): void;
  /** Whether something besides `metadata.finalizers` still delays a requested deletion. */
  held?(object: KubeObject): boolean;
  /** Field selectors besides metadata.name and metadata.namespace. */
  readonly fields: Readonly<Record<string, (object: KubeObject) => string>>;
  /** Whether PUT may create. */
  readonly createOnUpdate: boolean;
  /** Whether PUT without a resourceVersion is allowed. */
  readonly unconditionalUpdate: boolean;
}

/** `secrets`, `leases.coordination.k8s.io`. */
export const resourceId = (group: string, plural: string): string =>
  group === '' ? plural : `${plural}.${group}`;

export const groupVersion = (group: string, version: string): string =>
  group === '' ? version : `${group}/${version}`;

/** The key of an object in its table. Lists are in the order of these keys. */
export const keyOf = (namespace: string | undefined, name: string): string =>
  namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;

export const keyOfObject = (object: KubeObject): string =>
  keyOf(object.metadata.namespace, object.metadata.name);
