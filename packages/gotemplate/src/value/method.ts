/** Go's method sets. */
import type { Context } from '../context.ts';
import { GoError } from '../errors.ts';
import type { Type } from './type.ts';
import { Pointer, type Value, typeOf } from './value.ts';

/** Whether values of the type have the method. A pointer also has the methods of its element type. */
export function hasMethod(type: Type, name: string): boolean {
  if (type.methods.has(name)) return true;
  if (type.kind !== 'ptr' || type.elem === undefined) return false;
  return type.elem.methods.has(name) || type.elem.pointerMethods.has(name);
}

/** Go's message for a value method that is called on a nil pointer. */
export function nilReceiver({ name: type }: Type, name: string): string {
  return `value method ${type}.${name} called using nil *${type.slice(type.lastIndexOf('.') + 1)} pointer`;
}

/** Calls a method without arguments. The value is not a nil pointer. Throws a GoError if there is no such method. */
export function callMethod(context: Context, value: Value, name: string): Value {
  const type = typeOf(value);
  const own = type?.methods.get(name) ?? type?.elem?.pointerMethods.get(name);
  if (own !== undefined) return own.call(context, [value]);
  const inner = type?.elem?.methods.get(name);
  if (inner === undefined || !(value instanceof Pointer))
    throw new GoError(`${type?.name ?? 'nil'} has no method ${name}`);
  return inner.call(context, [value.target]);
}
