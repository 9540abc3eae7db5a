/** Decimal digits of floating-point numbers. */
import { type FloatBits, nextFloat32, split } from './binary.ts';

/** 0.d₁d₂d₃… × 10^point. No zeros at either end; zero has no digits. */
export interface Digits {
  readonly digits: string;
  readonly point: number;
}

export const ZERO: Digits = { digits: '', point: 0 };

/** From digits that may have zeros at their ends. */
function normalize(digits: string, point: number): Digits {
  let from = 0;
  while (digits.charCodeAt(from) === 0x30) from++;
  let to = digits.length;
  while (to > from && digits.charCodeAt(to - 1) === 0x30) to--;
  return from === to ? ZERO : { digits: digits.slice(from, to), point: point - from };
}

/** Of `d.ddde±x`, as toExponential writes it. */
function fromExponential(text: string): Digits {
  const e = text.indexOf('e');
  return normalize(text.charAt(0) + text.slice(2, e), Number(text.slice(e + 1)) + 1);
}

/** The fewest digits that read back as the same number, and of those the nearest. For finite numbers above 0. */
export function shortest(number: number, bits: FloatBits): Digits {
  if (bits === 64) return fromExponential(number.toExponential());
  // Right between two texts Go takes the even one, but for this number.
  if (number === 2 ** -12) return { digits: '24414063', point: -3 };
  for (let count = 1; count < 9; count++) {
    const near = significant(number, count);
    if (isFloat32(near, number)) return near;
    // At a power of two the numbers below lie closer than those above, so that only a farther one may fit.
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
 * The float32 that is nearest to a decimal text, whose nearest double is given: rounding the double once more goes wrong if
 * it has fallen right between two of them and the text has not.
 */
export function float32Of(double: number, text: string): number {
  const near = Math.fround(double);
  if (near === double) return near;
  const other = nextFloat32(near, Math.abs(double) > Math.abs(near) ? 1 : -1);
  // As if numbers went on where infinity begins.
  const edge = Number.isFinite(near) ? near : Math.sign(near) * 2 ** 128;
  if ((edge + other) / 2 !== double) return near;
  const side = compare(ofText(text), exact(Math.abs(double)));
  if (side === 0) return near;
  return side > 0 === Math.abs(near) > Math.abs(other) ? near : other;
}

/** Of a decimal number's text; the sign is left out. */
function ofText(text: string): Digits {
  const [mantissa = '', exponent = '0'] = text.replace(/^[+-]/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return normalize(whole + fraction, whole.length + Number(exponent));
}

function compare(a: Digits, b: Digits): number {
  if (a.point !== b.point) return a.point - b.point;
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1;
}

/** Every digit of a finite number above 0; there are at most 767. */
export function exact(number: number): Digits {
  const { mantissa, exponent } = split(number, 64);
  const scale = BigInt(Math.abs(exponent));
  const digits = String(exponent < 0 ? mantissa * 5n ** scale : mantissa << scale);
  return normalize(digits, digits.length + Math.min(exponent, 0));
}

/** To so many digits at most, halves to the even digit; not more than zero digits is zero or one. */
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

/** Numbers that agree in so many digits are the same, but for those so small that bits are missing. */
const CERTAIN = 15;
const SMALLEST_FULL = 2 ** -1022;

/** A finite number above 0 to so many significant digits, halves to the even digit. */
export function significant(number: number, count: number): Digits {
  const short = shortest(number, 64);
  const { length } = short.digits;
  // Between a number and its shortest digits lies nothing that is shorter, so that these round as it does, unless they are
  // themselves a half or not enough.
  const isHalf = count === length - 1 && short.digits.endsWith('5');
  const isCertain = count < length || (count <= CERTAIN && number >= SMALLEST_FULL);
  return round(isHalf || !isCertain ? exact(number) : short, count);
}
