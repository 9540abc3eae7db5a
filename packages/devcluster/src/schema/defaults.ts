import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { SchemaNode } from './node.ts';
import { copyJson, setOwn } from './json-values.ts';

/**
 * Sets defaults in place. A null that the schema does not allow is replaced by the default, or removed without one (Kubernetes,
 * "Defaulting and Nullable"). In a list it stays, and the validation refuses it.
 */
export function applyDefaults(value: Json, schema: SchemaNode | undefined): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    value.forEach((item, position) => {
      if (item === null && items?.nullable === false && items.default !== undefined) {
        value[position] = copyJson(items.default);
      }
      applyDefaults(value[position] ?? null, items);
    });
  } else if (isObject(value)) {
    defaultFields(value, schema);
  }
}

function defaultFields(object: JsonObject, schema: SchemaNode): void {
  for (const name of Object.keys(object)) {
    if (object[name] !== null) continue;
    const field = schemaOfField(schema, name);
    if (field?.nullable !== false) continue;
    if (field.default === undefined) Reflect.deleteProperty(object, name);
    else setOwn(object, name, copyJson(field.default));
  }
  for (const [name, property] of schema.properties) {
    if (property.default !== undefined && !Object.hasOwn(object, name)) {
      setOwn(object, name, copyJson(property.default));
    }
  }
  for (const name of Object.keys(object)) applyDefaults(object[name] ?? null, schemaOfField(schema, name));
}

function schemaOfField(schema: SchemaNode, name: string): SchemaNode | undefined {
  const others = schema.additionalProperties;
  return schema.properties.get(name) ?? (typeof others === 'object' ? others : undefined);
}
