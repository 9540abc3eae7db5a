/** Methods, looked up by name at run time. */
import { GoError } from '../errors.ts';
import type { Node } from '../parse/ast.ts';
import type { Func } from '../value/func.ts';
import { nilReceiver } from '../value/method.ts';
import { type Signature, type Type, pointerTo } from '../value/type.ts';
import { Pointer, type Value, typeOf } from '../value/value.ts';
import { where } from './expression.ts';
import { callFailure, failure } from './failure.ts';
import type { Frame } from './frame.ts';
import { joinResult } from './join-result.ts';
import { badResults, signatureOf } from './signature.ts';
import { type Operand, argumentNow } from './operand.ts';
import { validate } from './validate.ts';

/** A method with its receiver. `refusal` is the message with which Go panics at the call. */
interface Bound {
  readonly method: Func;
  readonly receiver: Value;
  readonly refusal: string | undefined;
}

/**
 * The method of a value. `pointer` is the last of the pointers that led to it. Methods with a pointer receiver are found
 * for each value: Go requires an addressable value, but values here do not know whether they are.
 */
export function methodOf(value: Value, pointer: Pointer | undefined, name: string): Bound | undefined {
  if (value instanceof Pointer) return nilMethod(value, name);
  const type = typeOf(value);
  if (type === undefined) return undefined;
  const own = type.methods.get(name);
  if (own !== undefined) return { method: own, receiver: value, refusal: undefined };
  const method = type.pointerMethods.get(name) ?? pointer?.type.methods.get(name);
  if (method === undefined) return undefined;
  return { method, receiver: pointer ?? new Pointer(pointerTo(type), value), refusal: undefined };
}

function nilMethod(receiver: Pointer, name: string): Bound | undefined {
  const elem: Type | undefined = receiver.type.elem;
  const method = elem?.pointerMethods.get(name) ?? receiver.type.methods.get(name);
  if (method !== undefined) return { method, receiver, refusal: undefined };
  const own = elem?.methods.get(name);
  if (own === undefined || elem === undefined) return undefined;
  return { method: own, receiver, refusal: nilReceiver(elem, name) };
}

/** The written arguments of a method, and the value of the pipeline. */
export interface Given {
  readonly operands: readonly Operand[];
  readonly final: { readonly value: Value } | undefined;
}

/** @param node the whole chain; `last` is the node visited before */
export function callMethod(
  frame: Frame,
  { method, receiver, refusal }: Bound,
  name: string,
  node: Node,
  last: Node | undefined,
  given: Given | undefined,
): Value {
  const signature = signatureOf(method);
  const problem = countProblem(name, signature, given) ?? badResults(name, signature);
  if (problem !== undefined) throw failure(frame, where(frame, last), problem);
  const args: Value[] = [receiver];
  let place = last;
  for (const operand of given?.operands ?? []) {
    args.push(argumentNow(frame, operand, paramType(signature, args.length)));
    place = operand.last;
  }
  if (given?.final !== undefined)
    args.push(validate(frame, given.final.value, paramType(signature, args.length), place));
  // Only now is the last visited node known: without a method, no argument is visited.
  if (given !== undefined && place !== undefined) frame.execution.place = place;
  try {
    if (refusal !== undefined) throw new GoError(refusal);
    return joinResult(frame, method.call(frame.context, args));
  } catch (error) {
    throw callFailure(frame, node, name, error);
  }
}

/** The type of argument `i`. For a variadic parameter it is the element type. */
export function paramType({ params, variadic }: Signature, i: number): Type {
  const last = params.length - 1;
  const type = params[Math.min(i, last)]!;
  return variadic && i >= last ? type.elem! : type;
}

/** The receiver is the first parameter. Go does not count it. */
function countProblem(
  name: string,
  { params, variadic }: Signature,
  given: Given | undefined,
): string | undefined {
  const written = given?.operands.length ?? 0;
  const count = written + (given?.final === undefined ? 0 : 1);
  return wrongCount(name, params.length - 1, variadic, written, count);
}

/** Checks the number of arguments. `written` of them do not come from the pipeline. */
export function wrongCount(
  name: string,
  params: number,
  variadic: boolean,
  written: number,
  count: number,
): string | undefined {
  if (variadic)
    return count < params - 1
      ? `wrong number of args for ${name}: want at least ${params - 1} got ${written}`
      : undefined;
  return count === params ? undefined : `wrong number of args for ${name}: want ${params} got ${count}`;
}
