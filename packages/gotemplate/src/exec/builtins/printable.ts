import { Pointer, type Value } from '../../value/value.ts';

/**
 * The value as an action prints it: the target of a pointer, unless only the pointer has a print method. No value is
 * `<no value>`.
 */
export function printable(value: Value): Value {
  if (value == null) return '<no value>';
  let pointer: Value = value;
  while (pointer instanceof Pointer && pointer.target instanceof Pointer) pointer = pointer.target;
  if (!(pointer instanceof Pointer) || pointer.target === undefined) return pointer;
  return printsItself(pointer) ? pointer : pointer.target;
}

function printsItself({ type: { elem } }: Pointer): boolean {
  if (elem === undefined || elem.methods.has('Error') || elem.methods.has('String')) return false;
  return elem.pointerMethods.has('Error') || elem.pointerMethods.has('String');
}
