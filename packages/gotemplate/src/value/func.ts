/** Functions: what templates call, with Go's signatures. */
import type { Context } from '../context.ts';
import { parseSignature } from './signature.ts';
import type { Type } from './type.ts';
import type { Value } from './value.ts';

/**
 * A function with its Go signature, by which arguments are counted, checked and converted before it is called. It is given
 * exactly what the signature says: a `string` parameter a string, an `int` one a bigint, a `float64` one a number, an
 * `interface {}` one any value (null when nil), a variadic one the rest of the arguments one by one.
 */
export class Func {
  readonly type: Type;
  /** Whether {@link call} wants the {@link Context} before the arguments. */
  readonly contextual: boolean;
  readonly impl: (...args: never[]) => Value;

  constructor(type: Type, contextual: boolean, impl: (...args: never[]) => Value) {
    this.type = type;
    this.contextual = contextual;
    this.impl = impl;
  }

  call(context: Context, args: readonly Value[]): Value {
    const impl = this.impl as (...args: unknown[]) => Value;
    return this.contextual ? impl(context, ...args) : impl(...args);
  }
}

/** Types by the names that a signature uses for them, beyond Go's predeclared ones. */
export type Types = Readonly<Record<string, Type>>;

/**
 * Declares a function of the package's own, whose results are trusted to be of the signature; see host-func.ts for others:
 * `fn('func(int, string) string', (n: bigint, s: string) => …)`.
 * A second result `error` may stand in the signature: to return one, throw a GoError.
 */
export function fn(signature: string, impl: (...args: never[]) => Value, types?: Types): Func {
  return new Func(parseSignature(signature, types), false, impl);
}

/** The same for a function that needs the clock, chance, the local zone or the budget: it comes before the arguments. */
export function contextual(
  signature: string,
  impl: (context: Context, ...args: never[]) => Value,
  types?: Types,
): Func {
  return new Func(parseSignature(signature, types), true, impl);
}

/** In a function map: a name that other engines offer and this one does not, and why. */
export class Unavailable {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Functions by name. A name that is {@link Unavailable} counts as not defined; the error's `hint` gives the reason. */
export type FuncMap = Readonly<Record<string, Func | Unavailable>>;
