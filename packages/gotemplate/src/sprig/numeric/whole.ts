/** Arithmetic on whole numbers of 64 bits, which wrap. */
import type { Context } from '../../context.ts';
import { GoError } from '../../errors.ts';
import { display } from '../../fmt/print.ts';
import { type FuncMap, contextual, fn } from '../../value/func.ts';
import { INT64 } from '../../value/type.ts';
import { Typed, type Value } from '../../value/value.ts';
import { readInt, toInt, toInt64 } from '../convert.ts';

const int64 = (value: bigint): Typed => new Typed(INT64, BigInt.asIntN(64, value));

const max = fn('func(interface{}, ...interface{}) int64', (...values: Value[]) =>
  int64(values.map(toInt64).reduce((a, b) => (b > a ? b : a))),
);

const min = fn('func(interface{}, ...interface{}) int64', (...values: Value[]) =>
  int64(values.map(toInt64).reduce((a, b) => (b < a ? b : a))),
);

const MAX_INT = (1n << 63n) - 1n;
const MAX_UINT = (1n << 64n) - 1n;

/**
 * A plain decimal; of one that is too large the nearest that is not, and 0 for what is no number: which Go does not look for
 * any more once there are more digits than 64 bits hold.
 */
function atoi({ budget }: Context, text: string): bigint {
  budget.spend(text.length / 16);
  const [number = '', sign, digits = ''] = /^([+-]?)0*(\d*)/.exec(text) ?? [];
  const magnitude = digits.length > 20 ? MAX_UINT + 1n : BigInt(digits);
  if (magnitude <= MAX_UINT && number.length < text.length) return 0n;
  if (sign === '-') return magnitude > MAX_INT ? -MAX_INT - 1n : -magnitude;
  return magnitude > MAX_INT ? MAX_INT : magnitude;
}

function divisor(value: Value): bigint {
  const number = toInt64(value);
  if (number === 0n) throw new GoError('runtime error: integer divide by zero');
  return number;
}

export const whole: FuncMap = {
  atoi: contextual('func(string) int', atoi),
  int: fn('func(interface{}) int', toInt),
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
