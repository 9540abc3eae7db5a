import type { Json, JsonObject } from '../json.ts';
import type { SchemaNode } from '../schema/node.ts';
import { setOwn } from '../schema/json-values.ts';
import type { FieldSet } from './field-set.ts';
import { isMember } from './field-set.ts';
import type { Part } from './parts.ts';
import { partsOf } from './parts.ts';

/**
 * The live value with everything that is applied. Neither argument is changed, and the result shares parts with both.
 *
 * @throws PatchError if an item of a list map has no key
 */
export function merge(live: Json, applied: Json, schema: SchemaNode | undefined): Json {
  const [left, right] = [partsOf(live, schema), partsOf(applied, schema)];
  if (left === undefined || right === undefined) return applied;
  if (Array.isArray(live) !== Array.isArray(applied)) return applied;
  const order = Array.isArray(live)
    ? inOrder([...left.keys()], [...right.keys()])
    : [...left.keys(), ...right.keys()];
  const parts = new Map(
    order.map((element): [string, Part] => {
      const [one, other] = [left.get(element), right.get(element)] as [Part, Part | undefined];
      if (one === undefined || other === undefined) return [element, one ?? other];
      return [element, { ...one, value: merge(one.value, other.value, one.schema) }];
    }),
  );
  return assembled(parts.values(), Array.isArray(live));
}

/** The applied items in their order, and each live item before the next one that both have. */
function inOrder(live: readonly string[], applied: readonly string[]): string[] {
  const place = new Map(live.map((element, index) => [element, index]));
  const own = new Set(applied);
  const others = live.filter((element) => !own.has(element));
  const result: string[] = [];
  applied.forEach((element, index) => {
    const next = applied.slice(index).find((each) => place.has(each));
    const end = next === undefined ? Infinity : (place.get(next) ?? Infinity);
    while (others[0] !== undefined && (place.get(others[0]) ?? 0) < end) result.push(others.shift() ?? '');
    result.push(element);
  });
  return [...result, ...others];
}

/** The value without the members of a set. A part of which nothing is left is removed, too. */
export function without(value: Json, set: FieldSet, schema: SchemaNode | undefined): Json | undefined {
  const parts = set === undefined ? undefined : partsOf(value, schema);
  if (set === undefined || parts === undefined) return value;
  const kept: Part[] = [];
  for (const [element, part] of parts) {
    const gone = set[element];
    const rest = isMember(gone) ? undefined : without(part.value, gone, part.schema);
    if (rest !== undefined) kept.push({ ...part, value: rest });
  }
  return kept.length === 0 && parts.size > 0 ? undefined : assembled(kept, Array.isArray(value));
}

function assembled(parts: Iterable<Part>, isList: boolean): Json {
  if (isList) return [...parts].map(({ value }) => value);
  const object: JsonObject = {};
  for (const { name = '', value } of parts) setOwn(object, name, value);
  return object;
}
