/** and, or, not. */
import { type Func, type FuncMap, fn } from '../../value/func.ts';
import type { Value } from '../../value/value.ts';
import { isTrue } from '../truth.ts';

const SOME = 'func(reflect.Value, ...reflect.Value) reflect.Value';

/** The first argument with that truth, or the last one: findIndex then returns -1, and `at(-1)` is the last. */
function firstThatIs(truth: boolean): Func {
  return fn(SOME, (...args: Value[]) => args.at(args.findIndex((arg) => isTrue(arg) === truth)));
}

// The compiler evaluates the arguments of `and` and `or` lazily. These functions receive all arguments, evaluated.
export const logic: FuncMap = {
  and: firstThatIs(false),
  or: firstThatIs(true),
  not: fn('func(reflect.Value) bool', (arg: Value) => !isTrue(arg)),
};
