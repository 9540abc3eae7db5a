/** Decimal numbers of any length, with the operations that sprig needs. */
import { GoError } from '../../errors.ts';

/** `coefficient * 10 ** exponent` */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

/** The decimal with the fewest digits that parses to the float. Throws a GoError for NaN and Infinity. */
export function fromFloat(value: number): Decimal {
  if (!Number.isFinite(value)) throw new GoError(`Cannot create a Decimal from ${name(value)}`);
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function name(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/** The nearest float. */
export function toFloat({ coefficient, exponent }: Decimal): number {
  return Number(`${coefficient}e${exponent}`);
}

export function add(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent);
  return { coefficient: scaled(a, exponent) + scaled(b, exponent), exponent };
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, { coefficient: -b.coefficient, exponent: b.exponent });
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent };
}

/** Decimal places of a quotient. */
const PLACES = 16;

/** The quotient with 16 places, halves away from zero. Throws a GoError if `b` is zero. */
export function divide(a: Decimal, b: Decimal): Decimal {
  if (b.coefficient === 0n) throw new GoError('decimal division by 0');
  const exponent = Math.min(a.exponent + PLACES, b.exponent);
  const dividend = scaled({ ...a, exponent: a.exponent + PLACES }, exponent);
  const divisor = scaled(b, exponent);
  const half = dividend < 0n === divisor < 0n ? divisor : -divisor;
  return { coefficient: (2n * dividend + half) / (2n * divisor), exponent: -PLACES };
}

/** The coefficient for the exponent `to`, which is at most the decimal's own. */
function scaled({ coefficient, exponent }: Decimal, to: number): bigint {
  return exponent === to ? coefficient : coefficient * 10n ** BigInt(exponent - to);
}
