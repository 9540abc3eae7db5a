/** What `JSON.parse` gives: the only kind of value the server stores and serves. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

/** Whether a value is a JSON object: neither null, a list nor a scalar. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads only own fields, so `constructor` is not found by accident. */
export function dig(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let at = value;
  for (const key of path) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** The string at `path`, or `''`. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string {
  const found = dig(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The list at `path`, or an empty one. */
export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = dig(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The fields of the object at `path` as pairs, or none. */
export function entriesAt(value: Json | undefined, ...path: readonly string[]): [string, Json][] {
  const found = dig(value, ...path);
  return isObject(found) ? Object.entries(found) : [];
}

/** Freezes parts that are not frozen yet. A part that an older object shares costs nothing. */
export function freeze<T extends Json>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const item of Object.values(value)) freeze(item);
  return value;
}
