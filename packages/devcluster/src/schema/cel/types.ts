import type { SchemaNode } from '../node.ts';
import { emptyNode } from '../node.ts';
import { escapeName } from './names.ts';

/**
 * The type of a value in CEL, and its maximum size. `size` is the maximum of CEL's `size()`: characters, items or entries. For other
 * types it is 0 for a field and 1 for a created value, like in the server's estimator.
 */
export type CelType =
  | {
      kind: 'object';
      size: number;
      schema: SchemaNode;
      fields: ReadonlyMap<string, CelField>;
      minSize: number;
    }
  | { kind: 'list'; size: number; items: CelType; listType: string; minSize: number }
  | { kind: 'map'; size: number; keys: CelType; values: CelType; minSize: number }
  | { kind: ScalarKind; size: number; minSize: number }
  | { kind: 'optional'; size: number; value: CelType; minSize: number };

export type ScalarKind =
  | 'string'
  | 'bytes'
  | 'int'
  | 'double'
  | 'bool'
  | 'timestamp'
  | 'duration'
  | 'null'
  | 'type'
  | 'dyn';

export interface CelField {
  /** The name in the object, without escapes. */
  name: string;
  type: CelType;
  nullable: boolean;
}

/** The largest request that the server accepts. It limits a size that the schema leaves open. */
export const maxRequestBytes = 3 * 1024 * 1024;

/** Sizes in bytes of texts with fixed formats, with their quotation marks. */
const dateSize = 12;
const maxDateTimeSize = 32;
const minDateTimeSize = 21;
const minDurationSize = 3;

/**
 * The type of values of a schema in rules; undefined if rules cannot see them, such as fields without a type.
 *
 * @param isResource whether it is a resource (the root, or embedded), which has `apiVersion`, `kind` and the names
 */
export function celType(schema: SchemaNode, isResource: boolean): CelType | undefined {
  if (schema.intOrString) return { kind: 'dyn', size: textSize(schema), minSize: 1 };
  const node = isResource ? withResourceFields(schema) : schema;
  switch (node.type) {
    case 'array':
      return listOf(node);
    case 'object':
      return typeof node.additionalProperties === 'object'
        ? mapOf(node, node.additionalProperties)
        : node.additionalProperties === undefined
          ? objectOf(node)
          : undefined;
    case 'string':
      return textOf(node);
    case 'boolean':
      return { kind: 'bool', size: 0, minSize: 4 };
    case 'number':
      return { kind: 'double', size: 0, minSize: 1 };
    case 'integer':
      return { kind: 'int', size: 0, minSize: 1 };
    default:
      return undefined;
  }
}

function listOf(node: SchemaNode): CelType | undefined {
  const items = node.items && celType(node.items, node.items.embeddedResource);
  if (items === undefined) return undefined;
  const size = node.maxItems ?? Math.floor((maxRequestBytes - 2) / (items.minSize + 1));
  return { kind: 'list', size: Math.max(size, 0), items, listType: node.listType ?? 'atomic', minSize: 2 };
}

function mapOf(node: SchemaNode, entries: SchemaNode): CelType | undefined {
  const values = celType(entries, entries.embeddedResource);
  if (values === undefined) return undefined;
  const size = node.maxProperties ?? Math.floor((maxRequestBytes - 2) / (values.minSize + 6));
  const keys: CelType = { kind: 'string', size: 0, minSize: 2 };
  return { kind: 'map', size: Math.max(size, 0), keys, values, minSize: 2 };
}

function objectOf(node: SchemaNode): CelType {
  const fields = new Map<string, CelField>();
  let minSize = 2;
  for (const [name, property] of node.properties) {
    const type = celType(property, property.embeddedResource);
    const escaped = escapeName(name);
    if (type === undefined) continue;
    // `constructor` would hide the class of a value from the expression library.
    if (escaped !== undefined && escaped !== 'constructor') {
      fields.set(escaped, { name, type, nullable: property.nullable });
    }
    if (node.required.includes(name) && property.default === undefined)
      minSize += name.length + type.minSize + 4;
  }
  return { kind: 'object', size: 0, schema: node, fields, minSize };
}

function textOf(node: SchemaNode): CelType {
  switch (node.format) {
    case 'byte':
      return { kind: 'bytes', size: Math.max(node.maxLength ?? maxRequestBytes - 2, 0), minSize: 2 };
    case 'duration':
      return { kind: 'duration', size: maxDateTimeSize, minSize: minDurationSize };
    case 'date':
      return { kind: 'timestamp', size: dateSize, minSize: dateSize };
    case 'date-time':
      return { kind: 'timestamp', size: maxDateTimeSize, minSize: minDateTimeSize };
    default:
      return { kind: 'string', size: textSize(node), minSize: 2 };
  }
}

/** `maxLength` counts characters, each of which may have four bytes. */
function textSize(node: SchemaNode): number {
  if (node.maxLength !== undefined) return Math.max(node.maxLength, 0) * 4;
  if (node.enum.length === 0 || node.intOrString) return maxRequestBytes - 2;
  return Math.max(0, ...node.enum.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
}

const text: SchemaNode = { ...emptyNode, type: 'string' };
const names: SchemaNode = {
  ...emptyNode,
  type: 'object',
  properties: new Map([
    ['name', text],
    ['generateName', text],
  ]),
};

function withResourceFields(node: SchemaNode): SchemaNode {
  const properties = new Map(node.properties);
  const metadata = properties.get('metadata');
  properties.set('apiVersion', text);
  properties.set('kind', text);
  properties.set(
    'metadata',
    metadata?.type === 'object'
      ? { ...metadata, properties: new Map([...names.properties, ...metadata.properties]) }
      : names,
  );
  return { ...node, type: 'object', properties };
}
