/** The binary forms of floating-point numbers: `p` exponents. */
import { type FloatBits, assemble, split } from './binary.ts';

/** `4503599627370496p-52`. The number is finite and not negative. */
export function formatBinary(number: number, bits: FloatBits): string {
  const { mantissa, exponent } = split(number, bits);
  return `${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`;
}

/** `0x1.8p+01`. The number is finite and not negative; a precision of -1 omits trailing zeros. */
export function formatHex(number: number, precision: number, bits: FloatBits): string {
  const { mantissa, exponent } = split(number, bits);
  if (mantissa === 0n) return `0x0${fraction('', precision)}p+00`;
  let scale = exponent + mantissa.toString(2).length - 1;
  // The leading one and 60 bits: 15 digits.
  let digits = mantissa << BigInt(61 - mantissa.toString(2).length);
  if (precision >= 0 && precision < 15) {
    const dropped = BigInt(60 - precision * 4);
    const half = 1n << (dropped - 1n);
    const rest = BigInt.asUintN(Number(dropped), digits);
    digits >>= dropped;
    if (rest > half || (rest === half && (digits & 1n) === 1n)) digits++;
    digits <<= dropped;
    if (digits >> 61n === 1n) {
      digits >>= 1n;
      scale++;
    }
  }
  const all = BigInt.asUintN(60, digits).toString(16).padStart(15, '0');
  const power = String(Math.abs(scale)).padStart(2, '0');
  return `0x1${fraction(all, precision)}p${scale < 0 ? '-' : '+'}${power}`;
}

function fraction(digits: string, precision: number): string {
  const shown = precision < 0 ? digits.replace(/0+$/, '') : digits.slice(0, precision).padEnd(precision, '0');
  return shown === '' ? '' : `.${shown}`;
}

/** Later digits cannot change the rounding, except that they show whether the rest is zero. */
const ENOUGH = 32;
/** With a larger exponent, each number is zero or infinite. */
const FAR = 100_000;

/** The value of hexadecimal digits `whole.fraction` times a power of two, rounded once. */
export function parseHex(whole: string, fraction: string, power: string, bits: FloatBits): number {
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0;
  const dropped = digits.slice(ENOUGH);
  const mantissa = BigInt(`0x${digits.slice(0, ENOUGH)}`) << 1n;
  const sticky = /[^0]/.test(dropped) ? 1n : 0n;
  const exponent = Math.max(-FAR, Math.min(FAR, Number(power)));
  const scale = exponent + 4 * (dropped.length - fraction.length) - 1;
  return assemble(mantissa | sticky, Math.max(-FAR, Math.min(FAR, scale)), bits);
}
