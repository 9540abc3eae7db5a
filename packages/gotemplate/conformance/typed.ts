/**
 * Decodes values of any type from JSON: `{"type": "map[string]int8", "value": [["a", "-1"]]}`. Null is a nil interface. The
 * format depends on the type:
 *
 * | type | as |
 * | --- | --- |
 * | bool | true, false |
 * | string | a string; `{"base64": …}` if it is not UTF-8 |
 * | numbers | text in decimal, `"NaN"`, `"+Inf"`, `"-Inf"` |
 * | slice, array | a list; null for a nil slice |
 * | map | a list of pairs; null for a nil map |
 * | pointer | its target; null for nil |
 * | struct | an object with the fields' names; absent fields are zero |
 * | time.Time | RFC 3339, or `{"seconds": "-5", "nanoseconds": 7, "zone": "Asia/Tokyo"}` since 1970 |
 * | interface {} | an object with type and value, or null |
 */
import { loadLocation } from '../src/time/location.ts';
import { Time } from '../src/time/time.ts';
import { DURATION, MONTH, TIME, WEEKDAY } from '../src/time/types.ts';
import { parseType } from '../src/value/signature.ts';
import { fromBytes } from '../src/value/text.ts';
import { type Type, isFloat, isInteger } from '../src/value/type.ts';
import {
  GoMap,
  type Key,
  Pointer,
  Slice,
  Struct,
  type Value,
  bare,
  ofType,
  zero,
} from '../src/value/value.ts';
import { CONNECTOR_INFO, PAYLOAD, PLAN_INFO, TARGET_INFO } from './notification.ts';
import { BOX, LEVEL, WORD } from './sample.ts';

/** The declared types of data, by their Go names. */
export const DECLARED = new Map<string, Type>(
  [TIME, DURATION, MONTH, WEEKDAY, PAYLOAD, PLAN_INFO, TARGET_INFO, CONNECTOR_INFO, BOX, LEVEL, WORD].map(
    (type) => [type.name, type],
  ),
);

const types = Object.fromEntries(DECLARED);

/** Throws a TypeError if the JSON is not an encoded value. */
export function decodeTyped(json: unknown): Value {
  if (json === null) return null;
  const { type, value } = object(json);
  if (typeof type !== 'string') fail('a type', type);
  return decode(parseType(type, types), value);
}

function decode(type: Type, json: unknown): Value {
  if (type === TIME) return decodeTime(json);
  switch (type.kind) {
    case 'interface':
      return decodeTyped(json);
    case 'bool':
      return typeof json === 'boolean' ? ofType(type, json) : fail('a bool', json);
    case 'string':
      return ofType(type, decodeString(json));
    case 'slice':
    case 'array':
      return json === null
        ? zero(type)
        : new Slice(
            type,
            list(json).map((item) => decode(elem(type), item)),
          );
    case 'map':
      return json === null
        ? zero(type)
        : new GoMap(type, new Map(list(json).map((pair) => decodePair(type, pair))));
    case 'ptr':
      return new Pointer(type, json === null ? undefined : decode(elem(type), json));
    case 'struct':
      return decodeStruct(type, object(json));
    default:
      return decodeNumber(type, json);
  }
}

function decodeString(json: unknown): string {
  if (typeof json === 'string') return json;
  const { base64 } = object(json);
  return typeof base64 === 'string' ? fromBytes(Buffer.from(base64, 'base64')) : fail('base64', base64);
}

function decodePair(type: Type, json: unknown): [Key, Value] {
  const [key, value] = list(json);
  const name = type.key === undefined ? undefined : bare(decode(type.key, key));
  return [name ?? fail('a key', key), decode(elem(type), value)];
}

function decodeStruct(type: Type, json: Readonly<Record<string, unknown>>): Value {
  return new Struct(
    type,
    type.fields.map((field) =>
      Object.hasOwn(json, field.name) ? decode(field.type, json[field.name]) : zero(field.type),
    ),
  );
}

function decodeNumber(type: Type, json: unknown): Value {
  if (typeof json !== 'string') fail('a number as text', json);
  if (isInteger(type.kind)) return ofType(type, BigInt(json));
  if (!isFloat(type.kind)) fail('a type that data may have', type.name);
  const float = /^[+-]?Inf$/.test(json) ? Number(`${json}inity`) : Number(json);
  return ofType(type, type.kind === 'float32' ? Math.fround(float) : float);
}

function decodeTime(json: unknown): Value {
  if (typeof json === 'string') return Time.parseRFC3339(json) ?? fail('RFC 3339', json);
  const { seconds, nanoseconds, zone } = object(json);
  const location = typeof zone === 'string' ? loadLocation(zone) : undefined;
  if (typeof seconds !== 'string' || typeof nanoseconds !== 'number' || location === undefined)
    fail('a time', json);
  return Time.unix(BigInt(seconds), nanoseconds, location);
}

const elem = (type: Type): Type => type.elem ?? fail('an element type', type.name);

const list = (json: unknown): readonly unknown[] => (Array.isArray(json) ? json : fail('a list', json));

const object = (json: unknown): Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : fail('an object', json);

function fail(wanted: string, found: unknown): never {
  throw new TypeError(`typed data: expected ${wanted}, found ${JSON.stringify(found)}`);
}
