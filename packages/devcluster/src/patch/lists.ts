import type { Json } from '../json.ts';
import { isObject } from '../json.ts';
import type { SchemaNode } from '../schema/node.ts';
import { getOwn } from '../schema/own.ts';
import { PatchError } from './error.ts';
import { mergeObjects } from './strategic.ts';

/** A list whose items merge: objects by the value of this field, or scalars as a set. */
type ListRule = { readonly mergeKey: string } | 'set';

/** Undefined if the list is replaced as a whole. */
export function listRuleOf(schema: SchemaNode | undefined): ListRule | undefined {
  if (schema?.listType === 'set') return 'set';
  const [mergeKey] = schema?.listType === 'map' ? schema.listMapKeys : [];
  return mergeKey === undefined ? undefined : { mergeKey };
}

/** Merges a list of a strategic merge patch into the existing one, then puts the patch's items in its order. */
export function mergeLists(existing: readonly Json[], patch: readonly Json[], rule: ListRule): Json[] {
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

/**
 * Orders a list: the items of `order` in that order, and each other item, which only the server has, before the first of them that
 * followed it on the server.
 */
export function orderList(
  list: readonly Json[],
  order: readonly Json[],
  server: readonly Json[],
  rule: ListRule,
): Json[] {
  const wanted = positions(order, rule);
  const before = positions(server, rule);
  const at = (places: Map<Json, number>, item: Json): number | undefined => places.get(keyOf(item, rule));
  const listed = list.filter((item) => at(wanted, item) !== undefined);
  const others = list.filter((item) => at(wanted, item) === undefined);
  listed.sort((a, b) => (at(wanted, a) ?? 0) - (at(wanted, b) ?? 0));
  others.sort((a, b) => (at(before, a) ?? 0) - (at(before, b) ?? 0));
  const result: Json[] = [];
  for (const item of listed) {
    const place = at(before, item);
    while (place !== undefined && others.length > 0 && (at(before, others[0] ?? null) ?? Infinity) < place) {
      result.push(others.shift() ?? null);
    }
    result.push(item);
  }
  return [...result, ...others];
}

function mergeItem(merged: Json[], item: Json, rule: ListRule): void {
  const key = keyOf(item, rule);
  const place = merged.findIndex((other) => keyOf(other, rule) === key);
  const previous = place < 0 ? undefined : merged[place];
  const result = isObject(item) ? mergeObjects(isObject(previous) ? previous : {}, item, undefined) : item;
  if (place < 0) merged.push(result);
  else merged[place] = result;
}

function positions(list: readonly Json[], rule: ListRule): Map<Json, number> {
  return new Map(list.map((item, position) => [keyOf(item, rule), position]));
}

function keyOf(item: Json, rule: ListRule): Json {
  if (rule === 'set') return item;
  const key = isObject(item) ? getOwn(item, rule.mergeKey) : undefined;
  if (key === undefined) {
    throw new PatchError(
      `map: ${JSON.stringify(item)} does not contain declared merge key: ${rule.mergeKey}`,
    );
  }
  return key;
}
