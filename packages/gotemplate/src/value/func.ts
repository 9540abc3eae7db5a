/** The functions that templates call, with Go's signatures. */
import type { Context } from '../context.ts';
import { parseSignature, type Types } from './signature.ts';
import type { Type } from './type.ts';
import type { Value } from './value.ts';

/** `layout`: of a time, by Go's reference time. `zone`: an IANA name. */
export type Meaning = 'layout' | 'zone';

/**
 * A function with its Go signature. The engine counts, checks and converts the arguments before a call. A `string`
 * parameter receives a string, `int` a bigint, `float64` a number, `interface {}` any value (nil is null), and a
 * variadic one the other arguments one by one.
 */
export class Func {
  readonly type: Type;
  /** Whether `impl` receives the {@link Context} before the arguments. */
  readonly contextual: boolean;
  readonly impl: (...args: never[]) => Value;
  /** What its text parameters mean, by position, without a receiver: the linter checks constants. */
  readonly means: readonly (Meaning | undefined)[];

  constructor(
    type: Type,
    contextual: boolean,
    impl: (...args: never[]) => Value,
    means: readonly (Meaning | undefined)[] = [],
  ) {
    this.type = type;
    this.contextual = contextual;
    this.impl = impl;
    this.means = means;
  }

  /** The same function, with what its text parameters mean. */
  meaning(...means: readonly (Meaning | undefined)[]): Func {
    return new Func(this.type, this.contextual, this.impl, means);
  }

  call(context: Context, args: readonly Value[]): Value {
    const impl = this.impl as (...args: unknown[]) => Value;
    return this.contextual ? impl(context, ...args) : impl(...args);
  }
}

/**
 * Declares a function of this package: `fn('func(int, string) string', (n: bigint, s: string) => …)`. The type of its
 * result is not checked; host-func.ts has the checked variant. The signature may have a second result `error`: to return
 * one, throw a GoError.
 */
export function fn(signature: string, impl: (...args: never[]) => Value, types?: Types): Func {
  return new Func(parseSignature(signature, types), false, impl);
}

/** The same for a function that needs the {@link Context}, its first argument. */
export function contextual(
  signature: string,
  impl: (context: Context, ...args: never[]) => Value,
  types?: Types,
): Func {
  return new Func(parseSignature(signature, types), true, impl);
}

/** Marks a function of other engines that this one does not have, and says why. */
export class Unavailable {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Functions by name. A name that is {@link Unavailable} counts as not defined; the error's `hint` gives the reason. */
export type FuncMap = Readonly<Record<string, Func | Unavailable>>;
