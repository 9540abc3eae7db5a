import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { Cause } from './cause.ts';
import { duplicate, invalid } from './cause.ts';
import type { SchemaNode } from './node.ts';
import { canonicalJson, getOwn, setOwn } from './json-values.ts';
import { child, index, key } from './path.ts';

/** Checks the lists in a value that are sets or maps by `x-kubernetes-list-type`. */
export type ListCheck = (value: Json, path: string, causes: Cause[]) => void;

/** Undefined if neither the schema nor a part of it has such a list. */
export function compileListCheck(schema: SchemaNode): ListCheck | undefined {
  const items = schema.items === undefined ? undefined : compileListCheck(schema.items);
  const unique = uniqueness(schema);
  const others =
    typeof schema.additionalProperties === 'object'
      ? compileListCheck(schema.additionalProperties)
      : undefined;
  const fields = new Map<string, ListCheck>();
  for (const [name, property] of schema.properties) {
    const check = compileListCheck(property);
    if (check !== undefined) fields.set(name, check);
  }
  if (items === undefined && unique === undefined && others === undefined && fields.size === 0)
    return undefined;
  return (value, path, causes) => {
    if (Array.isArray(value)) {
      unique?.(value, path, causes);
      if (items !== undefined) value.forEach((item, position) => items(item, index(path, position), causes));
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        fields.get(name)?.(value[name] ?? null, child(path, name), causes);
        others?.(value[name] ?? null, key(path, name), causes);
      }
    }
  };
}

function uniqueness(schema: SchemaNode): ((list: Json[], path: string, causes: Cause[]) => void) | undefined {
  if (schema.listType === 'set') {
    return (list, path, causes) => reportRepeated(list, path, causes);
  }
  if (schema.listType !== 'map') return undefined;
  return (list, path, causes) => {
    const stranger = list.findIndex((item) => item !== null && !isObject(item));
    if (stranger >= 0) {
      const detail = 'must be an object for an array of list-type map';
      causes.push(invalid(index(path, stranger), list[stranger] ?? null, detail));
      return;
    }
    const keys = list.map((item) => keysOf(isObject(item) ? item : {}, schema.listMapKeys));
    reportRepeated(keys, path, causes);
  };
}

function keysOf(item: JsonObject, names: readonly string[]): JsonObject {
  const keys: JsonObject = {};
  for (const name of names) {
    const value = getOwn(item, name);
    if (value !== undefined) setOwn(keys, name, value);
  }
  return keys;
}

/** Like the server, reports only the second appearance. */
function reportRepeated(list: readonly Json[], path: string, causes: Cause[]): void {
  const times = new Map<string, number>();
  list.forEach((item, position) => {
    const text = canonicalJson(item);
    const seen = times.get(text) ?? 0;
    times.set(text, seen + 1);
    if (seen === 1) causes.push(duplicate(index(path, position), item));
  });
}
