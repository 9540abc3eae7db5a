/** Calls of functions. Signatures are known, so arguments are counted and constants converted at compile time. */
import type { Node } from '../parse/ast.ts';
import type { Func } from '../value/func.ts';
import { ANY, REFLECT_VALUE, STRING, type Type } from '../value/type.ts';
import type { Value } from '../value/value.ts';
import { Expression, unwrap } from './expression.ts';
import { callFailure } from './failure.ts';
import type { Frame } from './frame.ts';
import { signatureOf } from './signature.ts';
import { joinResult } from './join-result.ts';
import { paramType } from './method.ts';
import type { Eval } from './op.ts';
import { type Operand, argument } from './operand.ts';
import { validate } from './validate.ts';

/** The called function and its nodes. */
interface Callee {
  readonly name: string;
  readonly func: Func;
  /** The node for the function's errors. */
  readonly node: Node;
  /** The node of its name. */
  readonly identifier: Node;
}

/** A call with the right number of arguments. `final` is the value of the pipeline: the last argument. */
export function call(
  callee: Callee,
  operands: readonly Operand[],
  final: Expression | undefined,
): Expression {
  const { func, identifier } = callee;
  const signature = signatureOf(func);
  const args: Arg[] = operands.map((operand, i) => argument(operand, paramType(signature, i)));
  const written = operands.at(-1);
  const last = written === undefined ? identifier : written.last;
  if (func.contextual) args.unshift(context);
  const invoke = new Invocation(callee);
  if (final === undefined) return new Expression(plain(invoke, args), last);
  const check = checker(paramType(signature, operands.length), last);
  return new Expression(piped(invoke, args, final.eval, check), last);
}

/** An argument of the JavaScript function: a value, or the context. */
type Arg = (frame: Frame) => unknown;
type Check = (frame: Frame, value: Value) => Value;

function context(frame: Frame): unknown {
  return frame.context;
}

class Invocation {
  readonly impl: (...args: unknown[]) => Value;
  readonly #callee: Callee;

  constructor(callee: Callee) {
    this.impl = callee.func.impl as (...args: unknown[]) => Value;
    this.#callee = callee;
  }

  failed(frame: Frame, error: unknown): Error {
    return callFailure(frame, this.#callee.node, this.#callee.name, error);
  }
}

// One closure for each number of arguments: an array of them would cost more than most functions.
function plain(invoke: Invocation, args: readonly Arg[]): Eval {
  const { impl } = invoke;
  const [a, b, c] = args as [Arg, Arg, Arg];
  switch (args.length) {
    case 0:
      return (frame) => {
        try {
          return joinResult(frame, impl());
        } catch (error) {
          throw invoke.failed(frame, error);
        }
      };
    case 1:
      return (frame) => {
        try {
          return joinResult(frame, impl(a(frame)));
        } catch (error) {
          throw invoke.failed(frame, error);
        }
      };
    case 2:
      return (frame) => {
        try {
          return joinResult(frame, impl(a(frame), b(frame)));
        } catch (error) {
          throw invoke.failed(frame, error);
        }
      };
    case 3:
      return (frame) => {
        try {
          return joinResult(frame, impl(a(frame), b(frame), c(frame)));
        } catch (error) {
          throw invoke.failed(frame, error);
        }
      };
    default:
      return (frame) => {
        try {
          return joinResult(frame, impl(...args.map((arg) => arg(frame))));
        } catch (error) {
          throw invoke.failed(frame, error);
        }
      };
  }
}

/** The same with the value of the pipeline: evaluated first, checked last, passed last. */
function piped(invoke: Invocation, args: readonly Arg[], final: Eval, check: Check): Eval {
  const { impl } = invoke;
  const [a, b] = args as [Arg, Arg];
  switch (args.length) {
    case 0:
      return (frame) => {
        try {
          return joinResult(frame, impl(check(frame, final(frame))));
        } catch (error) {
          throw invoke.failed(frame, error);
        }
      };
    case 1:
      return (frame) => {
        try {
          const value = final(frame);
          return joinResult(frame, impl(a(frame), check(frame, value)));
        } catch (error) {
          throw invoke.failed(frame, error);
        }
      };
    case 2:
      return (frame) => {
        try {
          const value = final(frame);
          return joinResult(frame, impl(a(frame), b(frame), check(frame, value)));
        } catch (error) {
          throw invoke.failed(frame, error);
        }
      };
    default:
      return (frame) => {
        try {
          const value = final(frame);
          return joinResult(frame, impl(...args.map((arg) => arg(frame)), check(frame, value)));
        } catch (error) {
          throw invoke.failed(frame, error);
        }
      };
  }
}

function checker(type: Type, last: Node | undefined): Check {
  if (type === ANY) return (_, value) => value ?? null;
  if (type === REFLECT_VALUE) return (_, value) => unwrap(value);
  return (frame, value) =>
    typeof value === 'string' && type === STRING ? value : validate(frame, unwrap(value), type, last);
}
