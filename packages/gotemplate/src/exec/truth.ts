import { type Value, Complex, GoMap, Pointer, Slice, Typed } from '../value/value.ts';

/** `template.IsTrue`: whether a value is not its type's zero value. Structs and NaN are always true. */
export function isTrue(value: Value): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value !== '';
    case 'number':
      return value !== 0;
    case 'bigint':
      return value !== 0n;
    case 'undefined':
      return false;
    default:
      return value !== null && isTrueObject(value);
  }
}

function isTrueObject(value: Exclude<Value, null | undefined>): boolean {
  if (value instanceof Slice) return value.items.length > 0;
  if (value instanceof GoMap) return value.entries.size > 0;
  if (value instanceof Typed) return isTrue(value.value);
  if (value instanceof Pointer) return value.target !== undefined;
  if (value instanceof Complex) return value.re !== 0 || value.im !== 0;
  return true;
}
