import type { Json } from '../json.ts';
import { isObject } from '../json.ts';
import type { Cause } from './cause.ts';
import { invalid, required } from './cause.ts';
import type { SchemaNode } from './node.ts';
import { getOwn } from './json-values.ts';
import { child, index, key } from './path.ts';

/** Checks the embedded resources in a value (`x-kubernetes-embedded-resource`). */
export type EmbeddedCheck = (value: Json, path: string, causes: Cause[]) => void;

/** Undefined without an embedded resource. */
export function compileEmbeddedCheck(schema: SchemaNode): EmbeddedCheck | undefined {
  const items = schema.items === undefined ? undefined : compileEmbeddedCheck(schema.items);
  const others =
    typeof schema.additionalProperties === 'object'
      ? compileEmbeddedCheck(schema.additionalProperties)
      : undefined;
  const fields = new Map<string, EmbeddedCheck>();
  for (const [name, property] of schema.properties) {
    const check = compileEmbeddedCheck(property);
    if (check !== undefined) fields.set(name, check);
  }
  const { embeddedResource } = schema;
  if (!embeddedResource && items === undefined && others === undefined && fields.size === 0) return undefined;
  return (value, path, causes) => {
    if (Array.isArray(value)) {
      if (items !== undefined) value.forEach((item, position) => items(item, index(path, position), causes));
    } else if (isObject(value)) {
      if (embeddedResource) checkResource(value, path, causes);
      for (const name of Object.keys(value)) {
        fields.get(name)?.(value[name] ?? null, child(path, name), causes);
        others?.(value[name] ?? null, key(path, name), causes);
      }
    }
  };
}

function checkResource(value: Json, path: string, causes: Cause[]): void {
  if (!isObject(value)) return;
  for (const name of ['apiVersion', 'kind']) {
    const text = getOwn(value, name) ?? '';
    if (text === '') causes.push(required(child(path, name), 'must not be empty'));
    else if (typeof text !== 'string') causes.push(invalid(child(path, name), text, 'must be a string'));
  }
  const metadata = getOwn(value, 'metadata') ?? {};
  if (!isObject(metadata)) causes.push(invalid(child(path, 'metadata'), metadata, 'must be an object'));
}
