import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { SchemaNode } from '../schema/node.ts';
import { getOwn, setOwn } from '../schema/json-values.ts';
import { PatchError } from './error.ts';
import { keyOf, listRuleOf, orderList, type ListRule } from './lists.ts';

const setOrder = '$setElementOrder/';
const deleteFromList = '$deleteFromPrimitiveList/';

/**
 * Applies a strategic merge patch, with the directives `$patch`, `$retainKeys`, `$deleteFromPrimitiveList` and
 * `$setElementOrder` (Kubernetes, "Strategic Merge Patch"). Neither argument is changed.
 *
 * @param schema of the object: which of its lists merge
 * @throws PatchError when a directive is not well formed
 */
export const strategicMergePatch = (target: JsonObject, patch: JsonObject, schema: SchemaNode): JsonObject =>
  mergeObjects(target, patch, schema);

/** Merges one object; also what the items of a list merge by. */
function mergeObjects(target: JsonObject, patch: JsonObject, schema: SchemaNode | undefined): JsonObject {
  switch (getOwn(patch, '$patch')) {
    case undefined:
    case 'merge':
      break;
    case 'replace':
      return withoutDirectives(patch);
    case 'delete':
      return {};
    default:
      throw new PatchError(
        `unknown patch type found: ${JSON.stringify(patch.$patch)} in map: ${JSON.stringify(patch)}`,
      );
  }
  const result = retained(target, patch);
  for (const name of Object.keys(patch)) {
    if (!isDirective(name)) mergeField(result, name, patch, schema?.properties.get(name));
  }
  for (const name of listsWithDirectivesOnly(patch)) {
    const existing = getOwn(result, name);
    if (Array.isArray(existing))
      setOwn(result, name, directed(existing, patch, name, schema?.properties.get(name)));
  }
  return result;
}

function mergeField(
  result: JsonObject,
  name: string,
  patch: JsonObject,
  schema: SchemaNode | undefined,
): void {
  const value = patch[name] ?? null;
  const existing = getOwn(result, name);
  const rule = listRuleOf(schema);
  if (value === null) Reflect.deleteProperty(result, name);
  else if (isObject(value)) {
    setOwn(result, name, mergeObjects(isObject(existing) ? existing : {}, value, schema));
  } else if (Array.isArray(value) && rule !== undefined) {
    const merged = mergeLists(Array.isArray(existing) ? existing : [], value, rule);
    setOwn(result, name, directed(merged, patch, name, schema));
  } else {
    setOwn(result, name, clean(value));
  }
}

/** Merges a list of a strategic merge patch into the existing one, then puts the patch's items in its order. */
function mergeLists(existing: readonly Json[], patch: readonly Json[], rule: ListRule): Json[] {
  if (rule === 'set') {
    const merged = [...existing, ...patch.filter((item) => !existing.includes(item))];
    return orderList([...new Set(merged)], patch, existing, rule);
  }
  const changes: Json[] = [];
  let merged = [...existing];
  let replaces = false;
  for (const item of patch) {
    const directive = isObject(item) ? getOwn(item, '$patch') : undefined;
    if (directive === 'delete') merged = merged.filter((other) => keyOf(other, rule) !== keyOf(item, rule));
    else if (directive === 'replace') replaces = true;
    else changes.push(item);
  }
  if (replaces) merged = [];
  for (const item of changes) mergeItem(merged, item, rule);
  return orderList(merged, changes, existing, rule);
}

function mergeItem(merged: Json[], item: Json, rule: ListRule): void {
  const key = keyOf(item, rule);
  const place = merged.findIndex((other) => keyOf(other, rule) === key);
  const previous = place < 0 ? undefined : merged[place];
  const result = isObject(item) ? mergeObjects(isObject(previous) ? previous : {}, item, undefined) : item;
  if (place < 0) merged.push(result);
  else merged[place] = result;
}

/** A list after the directives its parent carries for it. */
function directed(list: Json[], patch: JsonObject, name: string, schema: SchemaNode | undefined): Json[] {
  const rule = listRuleOf(schema);
  if (rule === undefined) return list;
  let result = list;
  const deleted = getOwn(patch, deleteFromList + name);
  if (deleted !== undefined) {
    if (!Array.isArray(deleted)) throw new PatchError('invalid patch format of primitive list');
    result = result.filter((item) => !deleted.includes(item));
  }
  const order = getOwn(patch, setOrder + name);
  if (order !== undefined) {
    if (!Array.isArray(order)) throw new PatchError('invalid patch format of setElementOrder list');
    result = orderList(result, order, list, rule);
  }
  return result;
}

/** The target with only the fields that `$retainKeys` names. */
function retained(target: JsonObject, patch: JsonObject): JsonObject {
  const keep = getOwn(patch, '$retainKeys');
  if (keep !== undefined && !Array.isArray(keep)) throw new PatchError('invalid patch format of retainKeys');
  if (keep !== undefined && Object.keys(patch).some((name) => !isDirective(name) && !keep.includes(name))) {
    throw new PatchError("patch content doesn't match retainKeys list");
  }
  const result: JsonObject = {};
  for (const name of Object.keys(target)) {
    if (keep === undefined || keep.includes(name)) setOwn(result, name, target[name] ?? null);
  }
  return result;
}

function listsWithDirectivesOnly(patch: JsonObject): Set<string> {
  const names = new Set<string>();
  for (const key of Object.keys(patch)) {
    for (const prefix of [setOrder, deleteFromList]) {
      if (key.startsWith(prefix)) names.add(key.slice(prefix.length));
    }
  }
  for (const name of names) if (Object.hasOwn(patch, name)) names.delete(name);
  return names;
}

function isDirective(name: string): boolean {
  return (
    name === '$patch' ||
    name === '$retainKeys' ||
    name.startsWith(setOrder) ||
    name.startsWith(deleteFromList)
  );
}

/** The result of a patch for a missing value: without its directives and nulls. */
function clean(value: Json): Json {
  if (Array.isArray(value)) return value.map(clean);
  return isObject(value) ? mergeObjects({}, value, undefined) : value;
}

function withoutDirectives(patch: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const name of Object.keys(patch)) {
    if (!isDirective(name) && patch[name] !== null) setOwn(result, name, clean(patch[name] ?? null));
  }
  return result;
}
