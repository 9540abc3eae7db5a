/** call. */
import type { Context } from '../../context.ts';
import { GoError } from '../../errors.ts';
import { type FuncMap, contextual } from '../../value/func.ts';
import { ANY, type Signature } from '../../value/type.ts';
import { Func, type Value, typeOf } from '../../value/value.ts';
import { badResults, signatureOf } from '../signature.ts';
import { prepareArgument } from './argument.ts';

/**
 * `call`: calls a function value. Throws a GoError if `func` is not a function or the arguments do not fit.
 *
 * @param name the function as the template writes it, for error messages.
 */
export function callFunction(context: Context, name: string, func: Value, args: readonly Value[]): Value {
  if (func == null) throw new GoError('call of nil');
  const type = typeOf(func);
  if (!(func instanceof Func)) throw new GoError(`non-function ${name} of type ${type?.name}`);
  const signature = signatureOf(func);
  const bad = badResults(name, signature);
  if (bad !== undefined) throw new GoError(bad);
  checkCount(name, signature, args.length);
  return func.call(
    context,
    args.map((arg, i) => {
      try {
        return prepareArgument(arg, paramAt(signature, i));
      } catch (error) {
        throw error instanceof GoError ? new GoError(`arg ${i}: ${error.message}`) : error;
      }
    }),
  );
}

function checkCount(name: string, { params, variadic }: Signature, count: number): void {
  const least = variadic ? params.length - 1 : params.length;
  if (variadic ? count >= least : count === least) return;
  throw new GoError(
    `wrong number of args for ${name}: got ${count} want ${variadic ? 'at least ' : ''}${least}`,
  );
}

function paramAt({ params, variadic }: Signature, i: number) {
  const last = params.length - 1;
  return (variadic && i >= last ? params[last]?.elem : params[i]) ?? ANY;
}

export const call: FuncMap = {
  // The compiler calls callFunction directly, with the function as the template writes it.
  call: contextual(
    'func(reflect.Value, ...reflect.Value) (reflect.Value, error)',
    (context, func: Value, ...args: Value[]) => callFunction(context, 'call', func, args),
  ),
};
