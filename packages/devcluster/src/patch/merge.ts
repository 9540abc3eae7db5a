import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { copyJson, getOwn, setOwn } from '../schema/json-values.ts';

/**
 * Applies a JSON merge patch (RFC 7386): objects merge field by field, null removes a field, anything else replaces
 * what was there. Neither argument is changed and the result shares nothing with the patch.
 */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return copyJson(patch);
  const result: JsonObject = {};
  if (isObject(target)) for (const key of Object.keys(target)) setOwn(result, key, target[key] ?? null);
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null;
    if (value === null) Reflect.deleteProperty(result, key);
    else setOwn(result, key, mergePatch(getOwn(result, key) ?? null, value));
  }
  return result;
}
