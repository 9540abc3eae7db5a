import type { JsonObject } from '../json.ts';
import type { Cause } from './cause.ts';

/** The schema of one version of a custom resource, ready for use. Made by `compileVersion` of `crd.ts`. */
export interface CompiledSchema {
  /**
   * Removes in place what the schema does not name, and returns the paths of what it removed (`spec.foo`), in the
   * object's order. `apiVersion`, `kind` and `metadata` stay, at the root and in embedded resources.
   */
  prune(obj: JsonObject): string[];
  /**
   * Sets the schema's defaults in place. A null where the schema allows none is dropped, or replaced by the default.
   * Idempotent.
   */
  applyDefaults(obj: JsonObject): void;
  /**
   * Checks types and values, sets and maps kept as lists, and the `x-kubernetes-validations` rules; transition
   * rules only where `old` has a comparable value. Empty when the object is valid.
   */
  validate(obj: JsonObject, old?: JsonObject): Cause[];
}
