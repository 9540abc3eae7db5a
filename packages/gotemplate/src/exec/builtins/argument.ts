/** Arguments that are checked at run time: those of `call`, and the keys of `index`. */
import { GoError } from '../../errors.ts';
import { assignable, canBeNil } from '../../value/assign.ts';
import { type Kind, type Type, isInteger, isSigned } from '../../value/type.ts';
import { type Value, bare, ofType, typeOf, zero } from '../../value/value.ts';

/** Converts the value to the type. Integers are converted as in Go: upper bits are lost. */
export function prepareArgument(value: Value, type: Type): Value {
  if (value == null) {
    if (!canBeNil(type)) throw new GoError(`value is nil; should be of type ${type.name}`);
    return zero(type);
  }
  const from = typeOf(value);
  if (from === undefined || assignable(from, type)) return value;
  const integer = isInteger(from.kind) && isInteger(type.kind) ? bare(value) : undefined;
  if (typeof integer === 'bigint') return ofType(type, wrap(integer, type.kind));
  throw new GoError(`value has type ${from.name}; should be ${type.name}`);
}

function wrap(integer: bigint, kind: Kind): bigint {
  const bits = Number(/\d+$/.exec(kind)?.[0] ?? 64);
  return isSigned(kind) ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer);
}

/**
 * An index from 0 to `length`, inclusive. Throws a GoError for other values, and for null, which represents an interface
 * with any value.
 */
export function placeIn(index: Value, length: number): number {
  if (index === undefined) throw new GoError('cannot index slice/array with nil');
  if (index === null) throw new GoError('cannot index slice/array with type interface {}');
  const from = typeOf(index);
  const integer = from !== undefined && isInteger(from.kind) ? bare(index) : undefined;
  if (typeof integer !== 'bigint') throw new GoError(`cannot index slice/array with type ${from?.name}`);
  const place = BigInt.asIntN(64, integer);
  if (place < 0n || place > length) throw new GoError(`index out of range: ${place}`);
  return Number(place);
}
