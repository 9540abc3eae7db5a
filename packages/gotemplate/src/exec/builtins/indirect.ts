import { Pointer, type Value } from '../../value/value.ts';

/** Follows pointers to their final target; null if one of them is nil. */
export function indirect(value: Value): Value {
  if (!(value instanceof Pointer)) return value;
  let target: Value = value;
  while (target instanceof Pointer) target = target.target ?? null;
  return target;
}
