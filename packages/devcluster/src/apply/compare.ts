import type { Json } from '../json.ts';
import { isObject } from '../json.ts';
import type { SchemaNode } from '../schema/node.ts';
import { equalJson } from '../schema/json-values.ts';
import type { FieldSet } from './field-set.ts';
import { elementsOf, isMember, nodeOf } from './field-set.ts';
import { isNamed, partsOf, schemaOf } from './parts.ts';

/** The fields that differ between two values. A part that is new or gone is a member too, besides its own parts. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const SAME: Comparison = { added: undefined, modified: undefined, removed: undefined };

export function compare(
  before: Json | undefined,
  after: Json | undefined,
  schema: SchemaNode | undefined,
): Comparison {
  if (before !== undefined && after !== undefined && equalJson(before, after)) return SAME;
  const [left, right] = [partsOf(before, schema), partsOf(after, schema)];
  const elements = [...new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])];
  const inner = elements
    .map((element) => {
      const [one, other] = [left?.get(element), right?.get(element)];
      return [element, compare(one?.value, other?.value, (one ?? other)?.schema)] as const;
    })
    .filter(([, comparison]) => comparison !== SAME);
  const isNew = before === undefined;
  const isGone = after === undefined;
  // A change of the kind of value, too: what has parts on one side only.
  const isOther = !isNew && !isGone && (elements.length === 0 || differs(before, left, after, right));
  const of = (what: keyof Comparison, member: boolean): FieldSet =>
    nodeOf(
      inner.map(([element, comparison]) => [element, comparison[what]]),
      member,
    );
  return { added: of('added', isNew), modified: of('modified', isOther), removed: of('removed', isGone) };
}

const differs = (before: Json, left: object | undefined, after: Json, right: object | undefined): boolean =>
  before !== null && after !== null && (left === undefined) !== (right === undefined);

/** All fields of a value that can have an owner. An object is only one of them if it is empty, or if its schema does not name it. */
export function fieldSetOf(value: Json, schema: SchemaNode | undefined): FieldSet {
  const parts = partsOf(value, schema);
  if (parts === undefined) return nodeOf([], true);
  const inner = [...parts].map(([element, part]): readonly [string, FieldSet] => {
    const set = fieldSetOf(part.value, part.schema);
    const isEmpty = isObject(part.value) && Object.keys(part.value).length === 0;
    return [element, nodeOf(elementsOf(set), isMember(set) || isEmpty || !part.named)];
  });
  return nodeOf(inner, false);
}

/** The set with all fields that the schema names and that contain a member. */
export function withNamed(set: FieldSet, schema: SchemaNode | undefined): FieldSet {
  const inner = elementsOf(set).map(([element, fields]): readonly [string, FieldSet] => {
    const below = withNamed(fields, schemaOf(element, schema));
    return [element, nodeOf(elementsOf(below), isMember(fields) || isNamed(element, schema))];
  });
  return nodeOf(inner, isMember(set));
}
