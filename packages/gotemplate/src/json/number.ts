import { GoError } from '../errors.ts';
import { formatFloat } from '../strconv/float.ts';

/** A float in JSON. Throws a GoError if JSON cannot represent it. */
export function encodeFloat(value: number, bits: 32 | 64): string {
  if (!Number.isFinite(value))
    throw new GoError(`json: unsupported value: ${formatFloat(value, 'g', -1, 64)}`);
  if (bits === 32) return encodeFloat32(value);
  // JavaScript prints the same digits and exponents as Go. It only drops the sign of zero.
  return Object.is(value, -0) ? '-0' : String(value);
}

const SMALL = Math.fround(1e-6);
const LARGE = Math.fround(1e21);

function encodeFloat32(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= SMALL && size < LARGE)) return formatFloat(value, 'f', -1, 32);
  return formatFloat(value, 'e', -1, 32).replace(/e-0(\d)$/, 'e-$1');
}
