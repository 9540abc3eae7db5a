/** call. */
import type { Context } from '../../context.ts';
import { GoError } from '../../errors.ts';
import { type FuncMap, contextual } from '../../value/func.ts';
import { ANY, ERROR, type Signature } from '../../value/type.ts';
import { Func, type Value, typeOf } from '../../value/value.ts';
import { prepareArgument } from './argument.ts';

/**
 * `call`: calls a function that is a value. Throws a GoError when it is none or the arguments do not fit.
 *
 * @param name how the template wrote the function, for the error texts.
 */
export function callFunction(context: Context, name: string, func: Value, args: readonly Value[]): Value {
  if (func == null) throw new GoError('call of nil');
  const type = typeOf(func);
  if (!(func instanceof Func)) throw new GoError(`non-function ${name} of type ${type?.name}`);
  const { signature = NOTHING } = func.type;
  checkResults(name, signature);
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

const NOTHING: Signature = { params: [], variadic: false, results: [] };

/** What a template can use is one result, or one and an error. */
function checkResults(name: string, { results }: Signature): void {
  const [, second] = results;
  if (results.length === 1 || (results.length === 2 && second === ERROR)) return;
  throw new GoError(
    second !== undefined && results.length === 2
      ? `invalid function signature for ${name}: second return value should be error; is ${second.name}`
      : `function ${name} has ${results.length} return values; should be 1 or 2`,
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
  // Whoever knows how the function was written calls callFunction itself.
  call: contextual(
    'func(reflect.Value, ...reflect.Value) (reflect.Value, error)',
    (context, func: Value, ...args: Value[]) => callFunction(context, 'call', func, args),
  ),
};
