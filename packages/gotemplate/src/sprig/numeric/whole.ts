/** Arithmetic with 64-bit integers, which wrap. */
import type { Context } from '../../context.ts';
import { GoError } from '../../errors.ts';
import { display } from '../../fmt/print.ts';
import { nearestInt } from '../../strconv/int.ts';
import { type FuncMap, contextual, fn } from '../../value/func.ts';
import { INT64 } from '../../value/type.ts';
import { Typed, type Value } from '../../value/value.ts';
import { readInt, toInt64 } from '../convert.ts';

const int64 = (value: bigint): Typed => new Typed(INT64, BigInt.asIntN(64, value));

const max = fn('func(interface{}, ...interface{}) int64', (...values: Value[]) =>
  int64(values.map(toInt64).reduce((a, b) => (b > a ? b : a))),
);

const min = fn('func(interface{}, ...interface{}) int64', (...values: Value[]) =>
  int64(values.map(toInt64).reduce((a, b) => (b < a ? b : a))),
);

function divisor(value: Value): bigint {
  const number = toInt64(value);
  if (number === 0n) throw new GoError('runtime error: integer divide by zero');
  return number;
}

export const whole: FuncMap = {
  atoi: contextual('func(string) int', ({ budget }: Context, text: string) => {
    budget.spend(text.length / 16);
    return nearestInt(text);
  }),
  int: fn('func(interface{}) int', toInt64),
  int64: fn('func(interface{}) int64', (value: Value) => int64(toInt64(value))),
  toDecimal: contextual('func(interface{}) int64', (context: Context, value: Value) =>
    int64(readInt(display(context, value), 8)),
  ),
  add1: fn('func(interface{}) int64', (value: Value) => int64(toInt64(value) + 1n)),
  add: fn('func(...interface{}) int64', (...values: Value[]) =>
    int64(values.reduce((sum: bigint, value) => sum + toInt64(value), 0n)),
  ),
  sub: fn('func(interface{}, interface{}) int64', (a: Value, b: Value) => int64(toInt64(a) - toInt64(b))),
  mul: fn('func(interface{}, ...interface{}) int64', (...values: Value[]) =>
    int64(values.reduce((product: bigint, value) => BigInt.asIntN(64, product * toInt64(value)), 1n)),
  ),
  div: fn('func(interface{}, interface{}) int64', (a: Value, b: Value) => int64(toInt64(a) / divisor(b))),
  mod: fn('func(interface{}, interface{}) int64', (a: Value, b: Value) => int64(toInt64(a) % divisor(b))),
  max,
  biggest: max,
  min,
};
