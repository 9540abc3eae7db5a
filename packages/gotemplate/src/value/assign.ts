/** Go's rules of assignability. */
import { hasMethod } from './method.ts';
import { ANY, ERROR, REFLECT_VALUE, type Type } from './type.ts';

/** Whether a value of type `from` is assignable to type `to` without conversion. Undefined is the type of nil. */
export function assignable(from: Type | undefined, to: Type): boolean {
  if (from === to || to === ANY) return true;
  if (from === undefined) return canBeNil(to);
  if (to === ERROR) return hasMethod(from, 'Error');
  return !(from.named && to.named) && sameShape(from, to);
}

/** Whether the type has nil. A reflect.Value can even be no value. */
export function canBeNil(type: Type): boolean {
  switch (type.kind) {
    case 'func':
    case 'interface':
    case 'map':
    case 'ptr':
    case 'slice':
      return true;
    default:
      return type === REFLECT_VALUE;
  }
}

/** Whether two types are equal except for their names. */
function sameShape(a: Type, b: Type): boolean {
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'slice':
    case 'ptr':
      return a.elem === b.elem;
    case 'array':
      return a.elem === b.elem && a.length === b.length;
    case 'map':
      return a.key === b.key && a.elem === b.elem;
    default:
      // Predeclared types and structs are named types. Functions of the same signature are the same type.
      return false;
  }
}
