/** The methods by which values print themselves. */
import type { Func } from '../value/func.ts';
import { STRING, type Type } from '../value/type.ts';
import type { Spec } from './spec.ts';

export type TextMethod = 'Error' | 'String' | 'GoString';

const VERBS: ReadonlySet<string> = new Set(['v', 's', 'x', 'X', 'q']);

/** The method of a type that prints its values by the verb, if there is one: Go's interfaces error, Stringer, GoStringer. */
export function textMethod(type: Type, verb: string, { sharpV }: Spec): TextMethod | undefined {
  if (type.kind !== 'ptr' && type.methods.size === 0) return undefined;
  if (sharpV) return has(type, 'GoString') ? 'GoString' : undefined;
  if (!VERBS.has(verb)) return undefined;
  return has(type, 'Error') ? 'Error' : has(type, 'String') ? 'String' : undefined;
}

function has(type: Type, name: TextMethod): boolean {
  if (isText(type.methods.get(name))) return true;
  if (type.kind !== 'ptr' || type.elem === undefined) return false;
  return isText(type.elem.pointerMethods.get(name) ?? type.elem.methods.get(name));
}

/** Whether it is a `func() string`, its receiver aside. */
function isText(func: Func | undefined): boolean {
  const signature = func?.type.signature;
  return signature?.params.length === 1 && signature.results.length === 1 && signature.results[0] === STRING;
}
