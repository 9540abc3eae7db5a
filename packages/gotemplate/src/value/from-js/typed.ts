import { TIME } from '../../time/time.ts';
import { assignable } from '../assign.ts';
import { builtinKind } from '../kind-of.ts';
import { fromOutside } from '../text.ts';
import { ANY, BYTES, STRING, type Type } from '../type.ts';
import { GoMap, type Key, Pointer, Slice, Struct, type Value, typeOf, zero } from '../value.ts';
import { type Place, type Reader, isPlain, isValue, properties, property } from './reader.ts';
import { bareScalar, scalar } from './scalar.ts';
import { bytes, time, untyped } from './untyped.ts';

/** A value of the type; undefined gives the type's zero value. */
export function typed(reader: Reader, data: unknown, type: Type, place: Place): Value {
  if (type === STRING && typeof data === 'string') return fromOutside(data);
  if (data === undefined) return zero(type);
  if (type.kind === 'interface') return untyped(reader, data, place);
  if (typeof data === 'object' && data !== null && !isPlain(data))
    if (isValue(data) && assignable(typeOf(data), type)) return data;
  switch (type.kind) {
    case 'struct':
      return struct(reader, data, type, place);
    case 'slice':
    case 'array':
      return slice(reader, data, type, place);
    case 'map':
      return map(reader, data, type, place);
    case 'ptr':
      return new Pointer(type, data === null ? undefined : typed(reader, data, type.elem ?? ANY, place));
    default:
      return scalar(reader, data, type, place);
  }
}

/** Whether the data is an object whose properties are read. */
function isRecord(data: unknown): data is object {
  if (typeof data !== 'object' || data === null) return false;
  if (Array.isArray(data)) return false;
  if (isPlain(data)) return true;
  return !(isValue(data) || data instanceof Date || data instanceof Map || builtinKind(data) !== undefined);
}

function struct(reader: Reader, data: unknown, type: Type, place: Place): Value {
  if (type === TIME && data instanceof Date) return time(reader, data, place);
  if (type === TIME || !isRecord(data)) throw reader.mismatch(place, data, type);
  const { fields } = type;
  reader.enter(data, fields.length, place);
  const values = new Array<Value>(fields.length);
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i]!;
    values[i] = typed(reader, property(data, field.name), field.type, field.name);
  }
  reader.leave();
  return new Struct(type, values);
}

function slice(reader: Reader, data: unknown, type: Type, place: Place): Value {
  if (data === null && type.kind === 'slice') return new Slice(type, [], true);
  if (data instanceof Uint8Array && type === BYTES) return bytes(reader, data, place);
  if (!Array.isArray(data)) throw reader.mismatch(place, data, type);
  const { length } = data;
  if (type.length !== undefined && type.length !== length)
    throw reader.fault(place, `has ${length} elements; wanted ${type.name}`);
  reader.enter(data, length, place);
  const elem = type.elem ?? ANY;
  const items = new Array<Value>(length);
  for (let i = 0; i < length; i++) items[i] = typed(reader, property(data, i), elem, i);
  reader.leave();
  return new Slice(type, items);
}

function map(reader: Reader, data: unknown, type: Type, place: Place): Value {
  if (data === null) return new GoMap(type, new Map(), true);
  const pairs: Iterable<readonly [unknown, unknown]> | undefined =
    data instanceof Map ? data : isRecord(data) ? properties(data) : undefined;
  if (pairs === undefined) throw reader.mismatch(place, data, type);
  reader.enter(data as object, data instanceof Map ? data.size : 0, place);
  const { key: keyType = STRING, elem = ANY } = type;
  const entries = new Map<Key, Value>();
  for (const [key, value] of pairs) {
    const name = String(key);
    entries.set(bareScalar(reader, key, keyType, name), typed(reader, value, elem, name));
  }
  reader.leave();
  return new GoMap(type, entries);
}
