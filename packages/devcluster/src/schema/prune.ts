import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { SchemaNode } from './node.ts';
import { child, index } from './path.ts';

/** The fields that the server itself knows in a resource, so schemas need not name them. */
const resourceFields = new Set(['apiVersion', 'kind', 'metadata']);

/** Removes the unknown fields of a resource in place. Returns their paths. */
export function pruneResource(object: JsonObject, root: SchemaNode): string[] {
  return pruneValue(object, { ...root, embeddedResource: true });
}

/** The same for any value, such as a default. */
export function pruneValue(value: Json, schema: SchemaNode): string[] {
  const removed: string[] = [];
  prune(value, schema, '', removed);
  return removed;
}

/** Without a schema nothing is known: all fields are removed. */
function prune(value: Json, schema: SchemaNode | undefined, path: string, removed: string[]): void {
  const keep = schema?.preserveUnknownFields === true;
  if (Array.isArray(value)) {
    value.forEach((item, position) => {
      const at = index(path, position);
      if (!keep) prune(item, schema?.items, at, removed);
      else if (schema.items !== undefined) pruneKnown(item, schema.items, at, removed);
    });
  } else if (isObject(value)) {
    pruneFields(value, schema, keep, path, removed);
  }
}

/** The items of a list that preserves unknown fields preserve them too, except deeper ones in known fields. */
function pruneKnown(value: Json, schema: SchemaNode, path: string, removed: string[]): void {
  prune(value, { ...schema, preserveUnknownFields: true }, path, removed);
}

function pruneFields(
  object: JsonObject,
  schema: SchemaNode | undefined,
  keep: boolean,
  path: string,
  removed: string[],
): void {
  for (const name of Object.keys(object)) {
    if (schema?.embeddedResource === true && resourceFields.has(name)) continue;
    const at = child(path, name);
    const property = schema?.properties.get(name);
    const others = schema?.additionalProperties;
    if (property !== undefined) prune(object[name] ?? null, property, at, removed);
    else if (others !== undefined) {
      prune(object[name] ?? null, typeof others === 'boolean' ? undefined : others, at, removed);
    } else if (!keep) {
      Reflect.deleteProperty(object, name);
      removed.push(at);
    }
  }
}
