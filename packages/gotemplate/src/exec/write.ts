import type { Node } from '../parse/ast.ts';
import { display } from '../fmt/print.ts';
import { print } from '../parse/print.ts';
import { Func, Pointer, type Value } from '../value/value.ts';
import { failure } from './failure.ts';
import type { Frame } from './frame.ts';

/** The text that an action writes for a value. */
export function shown(frame: Frame, node: Node, value: Value): string {
  if (value == null) return '<no value>';
  if (value instanceof Func)
    throw failure(frame, node, `can't print ${print(node)} of type ${value.type.name}`);
  if (!(value instanceof Pointer)) return display(frame.context, value);
  const pointer = lastPointer(value);
  const { target } = pointer;
  if (target === null) return '<nil>';
  if (target === undefined || prints(pointer)) return display(frame.context, pointer);
  return shown(frame, node, target);
}

/** Follows pointers to pointers. The result is nil or points to another kind of value. */
function lastPointer(value: Pointer): Pointer {
  let pointer = value;
  while (pointer.target instanceof Pointer) pointer = pointer.target;
  return pointer;
}

/** Whether only the pointer, not its target, has a print method. */
function prints({ type: { elem } }: Pointer): boolean {
  if (elem === undefined || elem.methods.has('String') || elem.methods.has('Error')) return false;
  return elem.pointerMethods.has('String') || elem.pointerMethods.has('Error');
}
