import type { Func } from '../value/func.ts';
import * as T from '../value/type.ts';
import type { Field, Type } from '../value/type.ts';

/** The meaning of a name: a method, or a field. */
export type Member =
  | { readonly kind: 'method'; readonly func: Func }
  | { readonly kind: 'field'; readonly type: Type | undefined; readonly field: Field | undefined };

/** A field, method or map entry of a type, or undefined. Follows one pointer, as templates do. */
export function member(type: Type, name: string): Member | undefined {
  const struct = type.kind === 'ptr' && type.elem !== undefined ? type.elem : type;
  const func = struct.methods.get(name) ?? (struct === type ? undefined : struct.pointerMethods.get(name));
  if (func !== undefined) return { kind: 'method', func };
  if (struct.kind === 'map')
    return struct.key === T.STRING ? { kind: 'field', type: struct.elem, field: undefined } : undefined;
  const index = struct.fieldIndex(name);
  const field = index === undefined ? undefined : struct.fields[index];
  return field === undefined ? undefined : { kind: 'field', type: field.type, field };
}
