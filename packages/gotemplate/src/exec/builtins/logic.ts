/** and, or, not. */
import { type Func, type FuncMap, fn } from '../../value/func.ts';
import type { Value } from '../../value/value.ts';
import { isTrue } from '../truth.ts';

const SOME = 'func(reflect.Value, ...reflect.Value) reflect.Value';

/** The first argument of that truth, or else the last: at -1, which is what findIndex gives when there is none. */
function firstThatIs(truth: boolean): Func {
  return fn(SOME, (...args: Value[]) => args.at(args.findIndex((arg) => isTrue(arg) === truth)));
}

// The compiler evaluates the arguments of `and` and `or` one by one and stops early; called as functions they have all.
export const logic: FuncMap = {
  and: firstThatIs(false),
  or: firstThatIs(true),
  not: fn('func(reflect.Value) bool', (arg: Value) => !isTrue(arg)),
};
