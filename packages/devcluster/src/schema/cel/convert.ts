import { parse } from '@marcbachmann/cel-js';
import type { Json, JsonObject } from '../../json.ts';
import { isObject } from '../../json.ts';
import { parseDuration } from '../formats.ts';
import { canonicalJson, getOwn } from '../json-values.ts';
import type { SchemaNode } from '../node.ts';
import type { CelField, CelType } from './types.ts';

/** Creates a value of the expression library from JSON; `undefined` without a value. */
export type Convert = (value: Json) => unknown;

/**
 * An object as rules see it: its declared fields, converted when they are first read. Each object type has its own class, by which the
 * expression library recognizes the type.
 */
export class CelObject {
  readonly #value: JsonObject;
  readonly #fields = new Map<string, unknown>();

  constructor(value: JsonObject) {
    this.#value = value;
  }

  /** The original object. */
  static raw(object: CelObject): JsonObject {
    return object.#value;
  }

  static field(object: CelObject, field: CelField, convert: Convert): unknown {
    if (!object.#fields.has(field.name)) {
      const value = getOwn(object.#value, field.name);
      object.#fields.set(field.name, value === undefined ? undefined : convert(value));
    }
    return object.#fields.get(field.name);
  }
}

/** A class whose instances have the fields of an object type as properties. */
export function classFor(
  fields: ReadonlyMap<string, CelField>,
  converts: ReadonlyMap<string, Convert>,
): typeof CelObject {
  const made = class extends CelObject {};
  for (const [name, field] of fields) {
    const convert = converts.get(name) ?? ((value: Json) => value);
    Object.defineProperty(made.prototype, name, {
      get(this: CelObject) {
        return CelObject.field(this, field, convert);
      },
    });
  }
  return made;
}

/** The library exports no class for durations. It creates them from text. */
const durationOf = parse('duration(text)');

/** How values of scalar types are converted. */
export function convertScalar(type: CelType): Convert {
  switch (type.kind) {
    case 'int':
      return (value) => (typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value);
    case 'dyn':
      return (value) => (typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value);
    case 'bytes':
      return (value) => (typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value);
    case 'timestamp':
      return (value) => (typeof value === 'string' ? new Date(value) : value);
    case 'duration':
      return (value) => {
        const nanoseconds = typeof value === 'string' ? parseDuration(value) : undefined;
        return nanoseconds === undefined ? value : (durationOf({ text: `${nanoseconds}ns` }) as unknown);
      };
    default:
      return (value) => value;
  }
}

/**
 * A text that is the same for two values exactly if they are equal in rules: the order of items does not count in a list that is a set or
 * a map (Kubernetes, `x-kubernetes-list-type`).
 */
export function equalityKey(value: Json, schema: SchemaNode | undefined): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => equalityKey(item, schema?.items));
    if (schema?.listType === 'set' || schema?.listType === 'map') items.sort();
    return `[${items.join(',')}]`;
  }
  if (!isObject(value)) return canonicalJson(value);
  const others = schema?.additionalProperties;
  const fields = Object.keys(value)
    .sort()
    .map((name) => {
      const field = schema?.properties.get(name) ?? (typeof others === 'object' ? others : undefined);
      return `${JSON.stringify(name)}:${equalityKey(value[name] ?? null, field)}`;
    });
  return `{${fields.join(',')}}`;
}
