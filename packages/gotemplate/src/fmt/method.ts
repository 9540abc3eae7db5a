/** The methods that print a value. */
import type { Func } from '../value/func.ts';
import { STRING, type Type } from '../value/type.ts';
import type { Spec } from './spec.ts';

export interface TextMethod {
  readonly name: 'Error' | 'String' | 'GoString';
  readonly func: Func;
  /** The receiver is the pointer's target, not the pointer. */
  readonly isOfTarget: boolean;
}

const VERBS: ReadonlySet<string> = new Set(['v', 's', 'x', 'X', 'q']);

/** The method that prints values of the type for the verb, if any: Go's interfaces error, Stringer, GoStringer. */
export function textMethod(type: Type, verb: string, { sharpV }: Spec): TextMethod | undefined {
  if (type.kind !== 'ptr' && type.methods.size === 0) return undefined;
  if (sharpV) return find(type, 'GoString');
  return VERBS.has(verb) ? (find(type, 'Error') ?? find(type, 'String')) : undefined;
}

function find(type: Type, name: TextMethod['name']): TextMethod | undefined {
  const elem = type.kind === 'ptr' ? type.elem : undefined;
  const own = type.methods.get(name) ?? elem?.pointerMethods.get(name);
  const func = own ?? elem?.methods.get(name);
  return func !== undefined && isText(func) ? { name, func, isOfTarget: own === undefined } : undefined;
}

/** Whether it is a `func() string`, without its receiver. */
function isText({ type: { signature } }: Func): boolean {
  return signature?.params.length === 1 && signature.results.length === 1 && signature.results[0] === STRING;
}
