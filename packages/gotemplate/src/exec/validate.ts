import type { Node } from '../parse/ast.ts';
import { assignable, canBeNil } from '../value/assign.ts';
import { ANY, REFLECT_VALUE, type Type } from '../value/type.ts';
import { Pointer, type Value, typeOf, zero } from '../value/value.ts';
import { where } from './expression.ts';
import { failure } from './failure.ts';
import type { Frame } from './frame.ts';

/**
 * Checks the value for a parameter of the type. If needed, follows or creates one pointer. Go creates one only for
 * addressable values, but values here do not know whether they are.
 */
export function validate(frame: Frame, value: Value, type: Type, last: Node | undefined): Value {
  if (type === REFLECT_VALUE) return value;
  if (type === ANY) return value ?? null;
  const fail = (description: string) => failure(frame, where(frame, last), description);
  if (value === undefined) {
    if (canBeNil(type)) return zero(type);
    throw fail(`invalid value; expected ${type.name}`);
  }
  const from = typeOf(value);
  if (from !== undefined) {
    if (assignable(from, type)) return value;
    if (value instanceof Pointer && assignable(from.elem, type)) {
      if (value.target !== undefined) return value.target;
      throw fail(`dereference of nil pointer of type ${type.name}`);
    }
    if (type.kind === 'ptr' && type.elem === from) return new Pointer(type, value);
  }
  throw fail(`wrong type for value; expected ${type.name}; got ${from?.name ?? ANY.name}`);
}
