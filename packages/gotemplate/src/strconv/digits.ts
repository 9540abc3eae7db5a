/** Decimal digits of floating-point numbers. */
import { type FloatBits, nextFloat32, split } from './binary.ts';

/** 0.d₁d₂d₃… × 10^point. No zeros at the ends. The number zero has no digits. */
export interface Digits {
  readonly digits: string;
  readonly point: number;
}

export const ZERO: Digits = { digits: '', point: 0 };

/** Removes zeros at the ends. */
function normalize(digits: string, point: number): Digits {
  let from = 0;
  while (digits.charCodeAt(from) === 0x30) from++;
  let to = digits.length;
  while (to > from && digits.charCodeAt(to - 1) === 0x30) to--;
  return from === to ? ZERO : { digits: digits.slice(from, to), point: point - from };
}

/** Parses `d.ddde±x`, the format of toExponential. */
function fromExponential(text: string): Digits {
  const e = text.indexOf('e');
  return normalize(text.charAt(0) + text.slice(2, e), Number(text.slice(e + 1)) + 1);
}

/** The shortest, then nearest digits that parse to the same number. For finite numbers above 0. */
export function shortest(number: number, bits: FloatBits): Digits {
  if (bits === 64) return fromExponential(number.toExponential());
  // Exactly between two texts, Go takes the even one, except for this number.
  if (number === 2 ** -12) return { digits: '24414063', point: -3 };
  for (let count = 1; count < 9; count++) {
    const near = significant(number, count);
    if (isFloat32(near, number)) return near;
    // At a power of two, the numbers below are closer than those above, so a text farther away may be the only one that fits.
    const above = String(BigInt(near.digits.padEnd(count, '0')) + 1n);
    const far = normalize(above, near.point + above.length - count);
    if (isFloat32(far, number)) return far;
  }
  return significant(number, 9);
}

function isFloat32({ digits, point }: Digits, number: number): boolean {
  const text = `${digits}e${point - digits.length}`;
  return float32Of(Number(text), text) === number;
}

/**
 * The float32 nearest to a decimal text. `double` is the double nearest to the text. Rounding it again is wrong if it is
 * exactly between two float32 numbers and the text is not.
 */
export function float32Of(double: number, text: string): number {
  const near = Math.fround(double);
  if (near === double) return near;
  const other = nextFloat32(near, Math.abs(double) > Math.abs(near) ? 1 : -1);
  // If it rounds to infinity, use the number that would come next.
  const edge = Number.isFinite(near) ? near : Math.sign(near) * 2 ** 128;
  if ((edge + other) / 2 !== double) return near;
  const side = compare(ofText(text), exact(Math.abs(double)));
  if (side === 0) return near;
  return side > 0 === Math.abs(near) > Math.abs(other) ? near : other;
}

/** The digits of a decimal text, without the sign. */
function ofText(text: string): Digits {
  const [mantissa = '', exponent = '0'] = text.replace(/^[+-]/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return normalize(whole + fraction, whole.length + Number(exponent));
}

function compare(a: Digits, b: Digits): number {
  if (a.point !== b.point) return a.point - b.point;
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1;
}

/** All digits of a finite number above 0, at most 767. */
export function exact(number: number): Digits {
  const { mantissa, exponent } = split(number, 64);
  const scale = BigInt(Math.abs(exponent));
  const digits = String(exponent < 0 ? mantissa * 5n ** scale : mantissa << scale);
  return normalize(digits, digits.length + Math.min(exponent, 0));
}

/** Rounds to at most `count` digits, halves to even. With a count of 0, the result is zero or one digit. */
export function round({ digits, point }: Digits, count: number): Digits {
  if (count >= digits.length) return { digits, point };
  if (count < 0) return ZERO;
  const kept = digits.slice(0, count);
  const next = digits.charCodeAt(count) - 0x30;
  const isHalf = next === 5 && count + 1 === digits.length;
  const up = isHalf ? count > 0 && kept.charCodeAt(count - 1) % 2 === 1 : next >= 5;
  if (!up) return normalize(kept, point);
  const nines = /9*$/.exec(kept)?.[0].length ?? 0;
  const rest = kept.slice(0, count - nines);
  return rest === ''
    ? { digits: '1', point: point + 1 }
    : { digits: rest.slice(0, -1) + String(Number(rest.at(-1)) + 1), point };
}

/** Numbers that agree in so many digits are equal, except subnormal numbers. */
const CERTAIN = 15;
const SMALLEST_FULL = 2 ** -1022;

/** Rounds a finite number above 0 to `count` significant digits, halves to even. */
export function significant(number: number, count: number): Digits {
  const short = shortest(number, 64);
  const { length } = short.digits;
  // No shorter decimal is between a number and its shortest digits, so these round like the number, unless they are a half
  // or too few.
  const isHalf = count === length - 1 && short.digits.endsWith('5');
  const isCertain = count < length || (count <= CERTAIN && number >= SMALLEST_FULL);
  return round(isHalf || !isCertain ? exact(number) : short, count);
}
