import type { JsonObject } from '../json.ts';
import type { Cause } from './cause.ts';
import type { SchemaNode } from './node.ts';

/** The compiled schema of one version of a custom resource. Created by `compileVersion` of `crd.ts`. */
export interface CompiledSchema {
  /** The schema with the fields that every resource has. */
  readonly shape: SchemaNode;
  /**
   * Removes unknown fields in place, and returns their paths (`spec.foo`) in the object's order. `apiVersion`, `kind` and `metadata`
   * stay, at the root and in embedded resources.
   */
  prune(obj: JsonObject): string[];
  /** Sets the schema's defaults in place. A null that the schema does not allow is removed, or replaced by the default. Idempotent. */
  applyDefaults(obj: JsonObject): void;
  /**
   * Checks types and values, lists that are sets or maps, and the `x-kubernetes-validations` rules. Transition rules apply only if `old`
   * has a comparable value. Empty for a valid object.
   */
  validate(obj: JsonObject, old?: JsonObject): Cause[];
}
