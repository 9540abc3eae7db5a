import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { getOwn } from './json-values.ts';

/** The object in a field, or undefined. */
export function objectAt(object: JsonObject, name: string): JsonObject | undefined {
  const value = getOwn(object, name);
  return isObject(value) ? value : undefined;
}

/** The list in a field, or an empty one. */
export function listAt(object: JsonObject, name: string): Json[] {
  const value = getOwn(object, name);
  return Array.isArray(value) ? value : [];
}

/** The text in a field, or an empty one. */
export function textAt(object: JsonObject, name: string): string {
  const value = getOwn(object, name);
  return typeof value === 'string' ? value : '';
}
