/** Arithmetic with floats. The four operations use decimals, so `addf 0.1 0.2` is 0.3. */
import type { Context } from '../../context.ts';
import { type Func, type FuncMap, contextual, fn } from '../../value/func.ts';
import type { Value } from '../../value/value.ts';
import { toFloat64 } from '../convert.ts';
import { type Decimal, add, divide, fromFloat, multiply, subtract, toFloat } from '../decimal/decimal.ts';

type Operation = (a: Decimal, b: Decimal) => Decimal;

/** Calculates from left to right. Each operand can add digits, and so work. */
function fold({ budget }: Context, operate: Operation, [first, ...rest]: readonly Value[]): number {
  let result = fromFloat(toFloat64(first));
  rest.forEach((value, i) => {
    budget.spend(32 * i);
    result = operate(result, fromFloat(toFloat64(value)));
  });
  return toFloat(result);
}

const folding = (operate: Operation): Func =>
  contextual('func(interface{}, ...interface{}) float64', (context: Context, ...values: Value[]) =>
    fold(context, operate, values),
  );

/** Infinity wins even over NaN. */
function maximum(a: number, b: number): number {
  return a === Infinity || b === Infinity ? Infinity : Math.max(a, b);
}

function minimum(a: number, b: number): number {
  return a === -Infinity || b === -Infinity ? -Infinity : Math.min(a, b);
}

/** Rounds to decimal places: up if the rest is at least `on`. A negative number has a negative rest, so it goes down. */
function round(value: Value, places: bigint, on = 0.5): number {
  const power = powerOfTen(Number(places));
  const shifted = power * toFloat64(value);
  const rest = shifted - Math.trunc(shifted);
  return (rest >= on ? Math.ceil(shifted) : Math.floor(shifted)) / power;
}

/** Go's `math.Pow(10, n)` with the same rounding: multiplies rounded powers 10^(2^k), one for each bit of `n`. */
export function powerOfTen(n: number): number {
  let mantissa = 1;
  let exponent = 0;
  let square = 10 / 16;
  let shift = 4;
  for (let rest = Math.abs(n); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) {
      mantissa *= square;
      exponent += shift;
    }
    // The result is out of the range of floats.
    if (exponent > 4096 || shift > 4096) return n < 0 ? 0 : Infinity;
    square *= square;
    shift *= 2;
    if (square < 0.5) {
      square *= 2;
      shift--;
    }
  }
  return n < 0 ? scale(1 / mantissa, -exponent) : scale(mantissa, exponent);
}

/** Multiplies in two steps: the power of two can be out of range although the product is not. */
function scale(mantissa: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return mantissa * 2 ** half * 2 ** (exponent - half);
}

export const floats: FuncMap = {
  float64: fn('func(interface{}) float64', toFloat64),
  add1f: contextual('func(interface{}) float64', (context: Context, value: Value) =>
    fold(context, add, [value, 1]),
  ),
  addf: contextual('func(...interface{}) float64', (context: Context, ...values: Value[]) =>
    fold(context, add, [0, ...values]),
  ),
  subf: folding(subtract),
  mulf: folding(multiply),
  divf: folding(divide),
  maxf: fn('func(interface{}, ...interface{}) float64', (...values: Value[]) =>
    values.map(toFloat64).reduce(maximum),
  ),
  minf: fn('func(interface{}, ...interface{}) float64', (...values: Value[]) =>
    values.map(toFloat64).reduce(minimum),
  ),
  ceil: fn('func(interface{}) float64', (value: Value) => Math.ceil(toFloat64(value))),
  floor: fn('func(interface{}) float64', (value: Value) => Math.floor(toFloat64(value))),
  round: fn('func(interface{}, int, ...float64) float64', round),
};
