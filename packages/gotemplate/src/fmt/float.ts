/** Formats floating-point and complex numbers. */
import { type FloatFormat, formatFloat as format } from '../strconv/float.ts';
import type { FloatBits } from '../strconv/binary.ts';
import { pad } from './pad.ts';
import { PLAIN, type Spec } from './spec.ts';

/** The format and the default precision of each verb. */
const VERBS = new Map<string, readonly [FloatFormat, number]>([
  ['v', ['g', -1]],
  ['b', ['b', -1]],
  ['g', ['g', -1]],
  ['G', ['G', -1]],
  ['x', ['x', -1]],
  ['X', ['X', -1]],
  ['f', ['f', 6]],
  ['F', ['f', 6]],
  ['e', ['e', 6]],
  ['E', ['E', 6]],
]);

/** Undefined if the verb does not apply to floating-point numbers. */
export function formatFloat(spec: Spec, value: number, bits: FloatBits, verb: string): string | undefined {
  if (spec === PLAIN && verb === 'v') return format(value, 'g', -1, bits);
  const verbs = VERBS.get(verb);
  if (verbs === undefined) return undefined;
  const [form, usual] = verbs;
  const precision = spec.precision >= 0 ? spec.precision : usual;
  const text = format(value, form, precision, bits);
  const isNegative = text.startsWith('-');
  const magnitude = isNegative || text.startsWith('+') ? text.slice(1) : text;
  const sign = isNegative ? '-' : spec.plus ? '+' : spec.space ? ' ' : '';
  if (magnitude === 'Inf') return pad(spec, (sign || '+') + magnitude, ' ');
  if (magnitude === 'NaN') return pad(spec, sign + magnitude, ' ');
  const number = spec.sharp && form !== 'b' ? withPoint(magnitude, form, precision) : magnitude;
  const zeros = spec.zero && !spec.minus ? spec.width - sign.length - number.length : 0;
  return zeros > 0 ? sign + '0'.repeat(zeros) + number : pad(spec, sign + number, ' ');
}

/** The `#` flag: always writes a point and, for `g` and `x`, trailing zeros. */
function withPoint(number: string, form: FloatFormat, precision: number): string {
  const isHex = form === 'x' || form === 'X';
  const end = number.search(isHex ? /p/i : /e/i);
  const mantissa = end < 0 ? number : number.slice(0, end);
  const counts = form === 'g' || form === 'G' || form === 'x';
  const wanted = counts ? (precision < 0 ? 6 : precision) : 0;
  // Go counts the x of the prefix as a digit.
  const shown = mantissa.replace('.', '').replace(/^0+/, '').length;
  const zero = mantissa === '0' ? 1 : 0;
  const zeros = '0'.repeat(Math.max(wanted - shown - zero, 0));
  const point = mantissa.includes('.') ? '' : '.';
  return mantissa + point + zeros + (end < 0 ? '' : number.slice(end));
}

/** `(1+2i)`. The verb and the width apply to each part. */
export function formatComplex(
  spec: Spec,
  re: number,
  im: number,
  bits: FloatBits,
  verb: string,
): string | undefined {
  const real = formatFloat(spec, re, bits, verb);
  const imaginary = formatFloat({ ...spec, plus: true }, im, bits, verb);
  return real === undefined || imaginary === undefined ? undefined : `(${real}${imaginary}i)`;
}
