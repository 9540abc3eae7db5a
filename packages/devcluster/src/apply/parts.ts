import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { SchemaNode } from '../schema/node.ts';
import { canonicalJson, getOwn, setOwn } from '../schema/json-values.ts';
import { PatchError } from '../patch/error.ts';

/** A field of an object, or an item of a list, that can have its own owner. */
export interface Part {
  readonly value: Json;
  readonly schema: SchemaNode | undefined;
  /** The name of the field; undefined for an item. */
  readonly name: string | undefined;
  /** Whether the schema names the field. The keys of a map and the items of a list are not named. */
  readonly named: boolean;
}

/**
 * The parts of a value by their path elements. Undefined if it has only one owner: a scalar, a null, and what the schema declares atomic.
 * A list is atomic by default, an object is not.
 */
export function partsOf(
  value: Json | undefined,
  schema: SchemaNode | undefined,
): Map<string, Part> | undefined {
  if (isObject(value) && schema?.mapType !== 'atomic')
    return new Map(Object.keys(value).map((name) => [`f:${name}`, field(value, name, schema)]));
  if (!Array.isArray(value) || (schema?.listType !== 'map' && schema?.listType !== 'set')) return undefined;
  const parts = new Map<string, Part>();
  for (const item of value) {
    const element = elementOf(item, schema);
    // Of repeated items, which only an update can store, the first one counts.
    if (!parts.has(element))
      parts.set(element, { value: item, schema: schema.items, name: undefined, named: false });
  }
  return parts;
}

/** The schema of a part. */
export function schemaOf(element: string, schema: SchemaNode | undefined): SchemaNode | undefined {
  if (!element.startsWith('f:')) return schema?.items;
  const others = schema?.additionalProperties;
  return schema?.properties.get(element.slice(2)) ?? (typeof others === 'object' ? others : undefined);
}

export const isNamed = (element: string, schema: SchemaNode | undefined): boolean =>
  element.startsWith('f:') && schema?.properties.has(element.slice(2)) === true;

/** @throws PatchError if the item has no key */
function elementOf(item: Json, { listType, listMapKeys, items }: SchemaNode): string {
  if (listType === 'set') {
    if (typeof item === 'object')
      throw new PatchError('associative list without keys has an element that is not a scalar');
    return `v:${JSON.stringify(item)}`;
  }
  if (!isObject(item)) throw new PatchError('associative list with keys may not have non-map elements');
  const keys: JsonObject = {};
  for (const name of listMapKeys) {
    const value = getOwn(item, name) ?? items?.properties.get(name)?.default;
    if (value !== undefined) setOwn(keys, name, value);
  }
  if (Object.keys(keys).length === 0)
    throw new PatchError(
      `associative list with keys has an element that omits all key fields ${JSON.stringify(listMapKeys)} (and doesn't have default values for any key fields)`,
    );
  return `k:${canonicalJson(keys)}`;
}

function field(object: JsonObject, name: string, schema: SchemaNode | undefined): Part {
  const element = `f:${name}`;
  const value = getOwn(object, name) ?? null;
  return { value, schema: schemaOf(element, schema), name, named: isNamed(element, schema) };
}
