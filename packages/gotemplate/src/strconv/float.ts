/** Go's formatting and parsing of floating-point numbers. */
import type { FloatBits } from './binary.ts';
import { type Digits, ZERO, exact, float32Of, round, shortest, significant } from './digits.ts';
import { RANGE, SYNTAX, numError } from './error.ts';
import { formatBinary, formatHex, parseHex } from './hex-float.ts';
import { underscoresFit } from './underscore.ts';

export type FloatFormat = 'e' | 'E' | 'f' | 'g' | 'G' | 'b' | 'x' | 'X';

/**
 * `strconv.FormatFloat`.
 * @param precision digits after the point; for `g` and `G`, significant digits. -1 means the fewest that identify the
 * number.
 */
export function formatFloat(
  value: number,
  format: FloatFormat,
  precision: number,
  bits: FloatBits = 64,
): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Infinity) return '+Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (value === -Infinity) return '-Inf';
  return sign + formatMagnitude(Math.abs(value), format, precision, bits);
}

function formatMagnitude(number: number, format: FloatFormat, precision: number, bits: FloatBits): string {
  switch (format) {
    case 'b':
      return formatBinary(number, bits);
    case 'x':
      return formatHex(number, precision, bits);
    case 'X':
      return formatHex(number, precision, bits).toUpperCase();
    case 'f':
      return formatFixed(number, precision, bits);
    case 'e':
    case 'E': {
      const digits = digitsOf(number, precision < 0 ? -1 : precision + 1, bits);
      return exponential(digits, precision < 0 ? Math.max(digits.digits.length - 1, 0) : precision, format);
    }
    default:
      return formatGeneral(number, format, precision, bits);
  }
}

function digitsOf(number: number, count: number, bits: FloatBits): Digits {
  if (number === 0) return ZERO;
  return count < 0 ? shortest(number, bits) : significant(number, count);
}

/** JavaScript prints numbers from 1e-6 up to this without an exponent. */
const NO_EXPONENT = 1e21;

function formatFixed(number: number, precision: number, bits: FloatBits): string {
  if (precision < 0) {
    if (bits === 64 && (number === 0 || (number >= 1e-6 && number < NO_EXPONENT))) return String(number);
    const digits = digitsOf(number, -1, bits);
    return fixed(digits, Math.max(digits.digits.length - digits.point, 0));
  }
  if (precision <= 100 && number < NO_EXPONENT) {
    // toFixed rounds halves up. A half has exactly `precision` + 1 binary decimals.
    const halves = number * 2 ** (precision + 1);
    if (halves % 2 !== 1) return number.toFixed(precision);
  }
  const digits = number === 0 ? ZERO : exact(number);
  return fixed(round(digits, digits.point + precision), precision);
}

function formatGeneral(number: number, format: 'g' | 'G', precision: number, bits: FloatBits): string {
  const isShortest = precision < 0;
  if (isShortest && bits === 64) {
    if (number === 0 || (number >= 1e-4 && number < 1e6)) return String(number);
    // Go's exponents have at least two digits.
    const text = number.toExponential().replace(/(?<=[+-])\d$/, '0$&');
    return format === 'g' ? text : text.toUpperCase();
  }
  const digits = digitsOf(number, isShortest ? -1 : precision || 1, bits);
  const { length } = digits.digits;
  const wanted = isShortest ? length : precision || 1;
  const most = isShortest ? 6 : wanted > length && length >= digits.point ? length : wanted;
  const exponent = digits.point - 1;
  if (exponent < -4 || exponent >= most)
    return exponential(digits, Math.min(wanted, length) - 1, format === 'g' ? 'e' : 'E');
  return fixed(digits, Math.max((wanted > digits.point ? length : wanted) - digits.point, 0));
}

function exponential({ digits, point }: Digits, decimals: number, letter: 'e' | 'E'): string {
  const fraction = decimals > 0 ? `.${digits.slice(1, decimals + 1).padEnd(decimals, '0')}` : '';
  const exponent = digits === '' ? 0 : point - 1;
  const size = Math.abs(exponent);
  const power = size < 10 ? `0${size}` : size;
  return `${digits.charAt(0) || '0'}${fraction}${letter}${exponent < 0 ? '-' : '+'}${power}`;
}

function fixed({ digits, point }: Digits, decimals: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  if (decimals <= 0) return whole;
  const zeros = '0'.repeat(Math.min(Math.max(-point, 0), decimals));
  const fraction = (zeros + digits.slice(Math.max(point, 0))).slice(0, decimals);
  return `${whole}.${fraction.padEnd(decimals, '0')}`;
}

const INFINITE = /^[+-]?inf(?:inity)?$/i;
const DECIMAL = /^[+-]?[\d_]*(?:\.[\d_]*)?(?:e[+-]?\d[\d_]*)?$/i;
const MANTISSA_DIGIT = /^[+-]?[_.]*\d/;
const HEX = /^[+-]?0x(?=[_.]*[\da-f])([\da-f_]*)(?:\.([\da-f_]*))?p([+-]?\d[\d_]*)$/i;

/** `strconv.ParseFloat`: decimal and hexadecimal numbers, `inf`, `infinity`, `nan`. Throws a GoError. */
export function parseFloat(text: string, bits: FloatBits = 64): number {
  if (text.includes('_') && !underscoresFit(text)) throw numError('ParseFloat', text, SYNTAX);
  const number = readFloat(text, bits);
  if (number === undefined) throw numError('ParseFloat', text, SYNTAX);
  if (Math.abs(number) === Infinity && !INFINITE.test(text)) throw numError('ParseFloat', text, RANGE);
  return number;
}

function readFloat(text: string, bits: FloatBits): number | undefined {
  if (DECIMAL.test(text) && MANTISSA_DIGIT.test(text)) {
    const plain = text.replaceAll('_', '');
    const double = Number(plain);
    return bits === 64 ? double : float32Of(double, plain);
  }
  const sign = text.startsWith('-') ? -1 : 1;
  const hex = HEX.exec(text.replace(/_/g, ''));
  if (hex !== null) {
    const [, whole = '', fraction = '', power = ''] = hex;
    return sign * parseHex(whole, fraction, power, bits);
  }
  if (INFINITE.test(text)) return sign * Infinity;
  return /^nan$/i.test(text) ? NaN : undefined;
}
