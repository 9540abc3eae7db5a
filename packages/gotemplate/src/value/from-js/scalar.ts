import { fromOutside } from '../text.ts';
import { type Type, isFloat, isInteger } from '../type.ts';
import { type Key, type Value, ofType } from '../value.ts';
import { wrap } from '../wrap.ts';
import type { Place, Reader } from './reader.ts';

/** A string, a boolean or a number of the type. */
export function scalar(reader: Reader, data: unknown, type: Type, place: Place): Value {
  return ofType(type, bareScalar(reader, data, type, place));
}

/** The same in its bare form, as a map key. */
export function bareScalar(reader: Reader, data: unknown, type: Type, place: Place): Key {
  const { kind } = type;
  if (kind === 'interface') {
    if (typeof data === 'string') return fromOutside(data);
    if (typeof data === 'number' || typeof data === 'boolean' || typeof data === 'bigint') return data;
  }
  if (kind === 'string' && typeof data === 'string') return fromOutside(data);
  if (kind === 'bool' && typeof data === 'boolean') return data;
  if (typeof data === 'number' || typeof data === 'bigint') {
    if (isInteger(kind)) return integer(reader, data, type, place);
    if (isFloat(kind)) return kind === 'float32' ? Math.fround(Number(data)) : Number(data);
  }
  throw reader.mismatch(place, data, type);
}

function integer(reader: Reader, data: number | bigint, type: Type, place: Place): bigint {
  if (typeof data === 'number' && !Number.isInteger(data))
    throw reader.fault(place, `is ${data}, which is not a whole number; wanted ${type.name}`);
  const value = BigInt(data);
  if (wrap(type.kind, value) !== value)
    throw reader.fault(place, `is ${value}, which is out of range of ${type.name}`);
  return value;
}
