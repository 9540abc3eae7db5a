import type { Json } from '../json.ts';
import { isObject } from '../json.ts';
import type { SchemaNode } from '../schema/node.ts';
import { getOwn } from '../schema/json-values.ts';
import { PatchError } from './error.ts';

/** A list whose items merge: objects by the value of this field, or scalars as a set. */
export type ListRule = { readonly mergeKey: string } | 'set';

/** Undefined if the list is replaced as a whole. */
export function listRuleOf(schema: SchemaNode | undefined): ListRule | undefined {
  if (schema?.listType === 'set') return 'set';
  const [mergeKey] = schema?.listType === 'map' ? schema.listMapKeys : [];
  return mergeKey === undefined ? undefined : { mergeKey };
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

function positions(list: readonly Json[], rule: ListRule): Map<Json, number> {
  return new Map(list.map((item, position) => [keyOf(item, rule), position]));
}

export function keyOf(item: Json, rule: ListRule): Json {
  if (rule === 'set') return item;
  const key = isObject(item) ? getOwn(item, rule.mergeKey) : undefined;
  if (key === undefined) {
    throw new PatchError(
      `map: ${JSON.stringify(item)} does not contain declared merge key: ${rule.mergeKey}`,
    );
  }
  return key;
}
