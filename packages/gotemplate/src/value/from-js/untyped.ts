import { Time } from '../../time/time.ts';
import { fromOutside } from '../text.ts';
import { ANY, ANY_MAP, BOOL, BYTES, FLOAT64, INT, STRING, type Type, UINT8, mapOf } from '../type.ts';
import { GoMap, type Key, Slice, Typed, type Value, decodedList } from '../value.ts';
import { type Place, type Reader, isPlain, isValue, properties, property } from './reader.ts';

/** Converts data by its JavaScript type. Nil is null. */
export function untyped(reader: Reader, data: unknown, place: Place): Value {
  switch (typeof data) {
    case 'string':
      return fromOutside(data);
    case 'number':
    case 'boolean':
      return data;
    case 'bigint':
      return integer(reader, data, place);
    case 'undefined':
      return null;
    case 'object':
      return data === null ? null : ofObject(reader, data, place);
    default:
      throw reader.fault(place, `is a ${typeof data}, which cannot be converted`);
  }
}

function integer(reader: Reader, data: bigint, place: Place): bigint {
  if (BigInt.asIntN(64, data) !== data) throw reader.fault(place, `is ${data}, which is out of range of int`);
  return data;
}

function ofObject(reader: Reader, data: object, place: Place): Value {
  if (Array.isArray(data)) return ofArray(reader, data, place);
  if (!isPlain(data)) {
    if (isValue(data)) return data;
    if (data instanceof Date) return time(reader, data, place);
    if (data instanceof Map) return ofMap(reader, data, place);
    if (data instanceof Uint8Array) return bytes(reader, data, place);
    reader.refuseBuiltin(data, place);
  }
  reader.enter(data, 0, place);
  const entries = new Map<Key, Value>();
  for (const [name, value] of properties(data)) entries.set(fromOutside(name), untyped(reader, value, name));
  reader.leave();
  return new GoMap(ANY_MAP, entries);
}

function ofArray(reader: Reader, data: readonly unknown[], place: Place): Slice {
  const { length } = data;
  reader.enter(data, length, place);
  const items = new Array<Value>(length);
  for (let i = 0; i < length; i++) items[i] = untyped(reader, property(data, i), i);
  reader.leave();
  return decodedList(items);
}

function ofMap(reader: Reader, data: ReadonlyMap<unknown, unknown>, place: Place): GoMap {
  reader.enter(data, data.size, place);
  const types = new Set<Type>();
  const entries = new Map<Key, Value>();
  for (const [key, value] of data) {
    const name = String(key);
    const type = KEYS.get(typeof key);
    if (type === undefined) throw reader.fault(name, `has a key of type ${typeof key}`);
    types.add(type);
    entries.set(typeof key === 'string' ? fromOutside(key) : (key as Key), untyped(reader, value, name));
  }
  reader.leave();
  const [type = STRING] = types;
  return new GoMap(mapOf(types.size > 1 ? ANY : type, ANY), entries);
}

const KEYS = new Map<string, Type>([
  ['string', STRING],
  ['bigint', INT],
  ['number', FLOAT64],
  ['boolean', BOOL],
]);

export function time(reader: Reader, date: Date, place: Place): Time {
  // Not `date.getTime()`: the object may override it.
  const milliseconds = Date.prototype.getTime.call(date);
  if (Number.isNaN(milliseconds)) throw reader.fault(place, 'is an invalid Date');
  return Time.fromDate(new Date(milliseconds));
}

export function bytes(reader: Reader, data: Uint8Array, place: Place): Slice {
  reader.enter(data, data.length, place);
  reader.leave();
  const items = Array.from(data, (byte) => new Typed(UINT8, BigInt(byte)));
  return new Slice(BYTES, items);
}
