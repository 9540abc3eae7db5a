import { Pointer, type Value } from '../../value/value.ts';

/** Follows pointers to what they point to in the end; null when one of them is nil. No value stays undefined. */
export function indirect(value: Value): Value {
  if (!(value instanceof Pointer)) return value;
  let target: Value = value;
  while (target instanceof Pointer) target = target.target ?? null;
  return target;
}
