/** Go's parsing of integers. */
import { GoError } from '../errors.ts';
import { RANGE, SYNTAX, numError } from './error.ts';
import { underscoresFit } from './underscore.ts';

const SMALL = /^-?\d{1,15}$/;

/**
 * `strconv.ParseInt`.
 * @param base 2 to 36. With 0, the text's prefix gives the base, and underscores between digits are allowed.
 * @param bits of the result; 0 is 64.
 */
export function parseInt(text: string, base = 10, bits = 64): bigint {
  if (base === 10 && (bits === 64 || bits === 0) && SMALL.test(text)) return BigInt(text);
  if (text === '') throw numError('ParseInt', text, SYNTAX);
  const sign = text.startsWith('-') ? -1n : 1n;
  const magnitude = read('ParseInt', text, text.replace(/^[+-]/, ''), base, bits);
  const bound = 1n << BigInt((bits || 64) - 1);
  if (magnitude === undefined || magnitude > bound || (sign > 0n && magnitude === bound))
    throw numError('ParseInt', text, RANGE);
  return sign * magnitude;
}

/** The value that `strconv.ParseInt` returns in base 10 even with an error: 0, or the nearest valid integer. */
export function nearestInt(text: string): bigint {
  try {
    return parseInt(text);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    if (!error.message.endsWith(RANGE)) return 0n;
    return text.startsWith('-') ? -(1n << 63n) : (1n << 63n) - 1n;
  }
}

/** `strconv.ParseUint`: the same without a sign. */
export function parseUint(text: string, base = 10, bits = 64): bigint {
  const value = read('ParseUint', text, text, base, bits);
  if (value === undefined) throw numError('ParseUint', text, RANGE);
  return value;
}

const PREFIXES = new Map([
  ['b', 2],
  ['o', 8],
  ['x', 16],
]);

/** The value of the digits; undefined if it has too many bits. As in Go, digits after the overflow are not checked. */
function read(func: string, text: string, digits: string, base: number, bits: number): bigint | undefined {
  if (digits === '') throw numError(func, text, SYNTAX);
  if (base !== 0 && !(base >= 2 && base <= 36)) throw numError(func, text, `invalid base ${base}`);
  let radix = base || 10;
  let from = 0;
  if (base === 0 && digits.startsWith('0')) {
    const prefixed = digits.length >= 3 ? PREFIXES.get(digits.charAt(1).toLowerCase()) : undefined;
    radix = prefixed ?? 8;
    from = prefixed === undefined ? 1 : 2;
  }
  if (bits < 0 || bits > 64) throw numError(func, text, `invalid bit size ${bits}`);
  const bound = 1n << BigInt(bits || 64);
  let value = 0n;
  let underscores = false;
  for (let i = from; i < digits.length; i++) {
    const unit = digits.charCodeAt(i);
    if (unit === 0x5f && base === 0) {
      underscores = true;
      continue;
    }
    const digit = digitOf(unit);
    if (digit >= radix) throw numError(func, text, SYNTAX);
    value = value * BigInt(radix) + BigInt(digit);
    if (value >= bound) return undefined;
  }
  if (underscores && !underscoresFit(digits)) throw numError(func, text, SYNTAX);
  return value;
}

/** The value of an ASCII digit or letter; Infinity for other characters. */
function digitOf(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return unit < 0x80 && letter >= 0x61 && letter <= 0x7a ? letter - 0x57 : Infinity;
}
