/** Declares functions of the host. Their results are checked and converted. */
import type { Context } from '../context.ts';
import { GoError } from '../errors.ts';
import { TYPES } from '../time/types.ts';
import { Reader } from './from-js/reader.ts';
import { typed } from './from-js/typed.ts';
import { Func } from './func.ts';
import type { Types } from './signature.ts';
import { kindOf } from './kind-of.ts';
import { parseSignature, parseType as readType } from './signature.ts';
import { ANY, BOOL, FLOAT64, INT, REFLECT_VALUE, STRING, type Type } from './type.ts';
import type { Value } from './value.ts';

/**
 * Declares a function by its Go signature: `fn('func(int, string) string', (n: bigint, s: string) => …)`. The types of Go's
 * package time are known (`time.Time`, `time.Duration`); `types` names others.
 *
 * It returns data that {@link fromJS} can convert to the result type: a whole number for `int`, an array for `[]string`,
 * plain data for `any`. A result that does not fit, such as a Promise, fails the call. To fail, it throws a
 * {@link GoError}; the signature may have a second result `error`. Throws a SyntaxError for an invalid signature, and a
 * TypeError for arguments of other types.
 */
export function fn(signature: string, impl: (...args: never[]) => unknown, types?: Types): Func {
  const type = declared('fn', signature, impl, types);
  const result = resultOf(type);
  const call = impl as (...args: unknown[]) => unknown;
  return new Func(type, false, (...args: unknown[]) => result(call(...args)));
}

/** The same for a function that needs the {@link Context}, its first argument. */
export function contextual(
  signature: string,
  impl: (context: Context, ...args: never[]) => unknown,
  types?: Types,
): Func {
  const type = declared('contextual', signature, impl, types);
  const result = resultOf(type);
  const call = impl as (...args: unknown[]) => unknown;
  return new Func(type, true, (...args: unknown[]) => result(call(...args)));
}

/** A type by its Go name, such as `map[string][]time.Time`. Knows the same names as {@link fn}. */
export function parseType(text: string, types?: Types): Type {
  if (typeof text !== 'string')
    throw new TypeError(`parseType: the name is ${kindOf(text)}; wanted a string, such as '[]string'`);
  return readType(text, { ...TYPES, ...types });
}

function declared(by: string, signature: unknown, impl: unknown, types?: Types): Type {
  if (typeof signature !== 'string')
    throw new TypeError(
      `${by}: the signature is ${kindOf(signature)}; wanted a string, such as 'func(string) string'`,
    );
  if (typeof impl !== 'function')
    throw new TypeError(
      `${by} ${JSON.stringify(signature)}: the implementation is ${kindOf(impl)}; wanted a function`,
    );
  return parseSignature(signature, { ...TYPES, ...types });
}

/** Converts the results of functions of this type. For the usual results one `typeof` is enough. */
function resultOf(type: Type): (given: unknown) => Value {
  const [result = ANY] = type.signature?.results ?? [];
  const other = (given: unknown): Value => convert(given, result, type);
  switch (result) {
    case STRING:
      return (given) => (typeof given === 'string' ? given : other(given));
    case BOOL:
      return (given) => (typeof given === 'boolean' ? given : other(given));
    case FLOAT64:
      return (given) => (typeof given === 'number' ? given : other(given));
    case INT:
      return (given) =>
        typeof given === 'bigint' && BigInt.asIntN(64, given) === given ? given : other(given);
    case ANY:
    case REFLECT_VALUE:
      return (given) =>
        typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean'
          ? given
          : convert(given, ANY, type);
    default:
      return other;
  }
}

function convert(given: unknown, result: Type, type: Type): Value {
  const reader = new Reader('result');
  try {
    // In data, undefined means a zero value. As a result, it means that `return` is missing.
    if (given === undefined && result.kind !== 'interface') throw reader.mismatch(undefined, given, result);
    return typed(reader, given, result, undefined);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new GoError(`${error.message}; the host declared it as ${type.name}`, { cause: error });
  }
}
