/** Go's `==` for values of dynamic type. */
import type { Context } from '../../context.ts';
import { GoError } from '../../errors.ts';
import { Time } from '../../time/time.ts';
import type { Type } from '../../value/type.ts';
import { type Value, Complex, Pointer, Slice, Struct, Typed, typeOf } from '../../value/value.ts';

/** Whether values of the type have `==`. Interfaces do, even if their value does not. */
export function isComparable(type: Type): boolean {
  switch (type.kind) {
    case 'func':
    case 'map':
    case 'slice':
      return false;
    case 'array':
      return type.elem === undefined || isComparable(type.elem);
    case 'struct':
      return type.fields.every((field) => isComparable(field.type));
    default:
      return true;
  }
}

/** Whether two values have the same type and are equal. Throws a GoError if their type has no `==`, where Go panics. */
export function identical(context: Context, a: Value, b: Value): boolean {
  context.budget.spend(1);
  const type = typeOf(a);
  if (type !== typeOf(b)) return false;
  if (type !== undefined && !isComparable(type))
    throw new GoError(`runtime error: comparing uncomparable type ${type.name}`);
  if (a instanceof Typed && b instanceof Typed) return a.value === b.value;
  if (a instanceof Complex && b instanceof Complex) return a.re === b.re && a.im === b.im;
  if (a instanceof Pointer && b instanceof Pointer) return samePlace(a, b);
  if (a instanceof Struct && b instanceof Struct) return allIdentical(context, a.fields, b.fields);
  if (a instanceof Slice && b instanceof Slice) return allIdentical(context, a.items, b.items);
  if (a instanceof Time && b instanceof Time) return sameTime(a, b);
  return a === b;
}

/** The same moment, location and clock. Go compares the fields, so two parsed times with equal offsets differ. */
function sameTime(a: Time, b: Time): boolean {
  return a.compare(b) === 0 && a.location === b.location && a.monotonic === b.monotonic;
}

/** Pointers to the same object are equal. Scalars have no identity, so pointers to them are equal only to themselves. */
function samePlace(a: Pointer, b: Pointer): boolean {
  if (a === b) return true;
  return a.target === undefined || typeof a.target === 'object' ? a.target === b.target : false;
}

function allIdentical(context: Context, a: readonly Value[], b: readonly Value[]): boolean {
  return a.every((item, i) => identical(context, item, b[i]));
}
