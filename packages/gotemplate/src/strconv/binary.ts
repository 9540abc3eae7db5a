/** Splits floating-point numbers into integers, and assembles them again. */

/** The size of the number in Go. A 32-bit number is stored as the double of the same value. */
export type FloatBits = 64 | 32;

/** Bits of the mantissa, including the leading one. */
const PRECISION = { 64: 53, 32: 24 } as const;
/** The exponent of the last bit of subnormal numbers. */
const LEAST = { 64: -1074, 32: -149 } as const;

const view = new DataView(new ArrayBuffer(8));

/** `mantissa × 2^exponent`, as stored. The number is finite and not negative. */
export function split(number: number, bits: FloatBits): { mantissa: bigint; exponent: number } {
  const stored = bits - PRECISION[bits];
  view.setFloat64(0, number);
  const pattern = bits === 64 ? view.getBigUint64(0) : BigInt(float32Pattern(number));
  const biased = Number(pattern >> BigInt(PRECISION[bits] - 1)) & ((1 << stored) - 1);
  const fraction = BigInt.asUintN(PRECISION[bits] - 1, pattern);
  if (biased === 0) return { mantissa: fraction, exponent: LEAST[bits] };
  return {
    mantissa: fraction | (1n << BigInt(PRECISION[bits] - 1)),
    exponent: LEAST[bits] + biased - 1,
  };
}

function float32Pattern(number: number): number {
  view.setFloat32(0, number);
  return view.getUint32(0);
}

/** The number nearest to `mantissa × 2^exponent`; of two, the even one. Infinity if it is too large. */
export function assemble(mantissa: bigint, exponent: number, bits: FloatBits): number {
  const length = mantissa.toString(2).length;
  const excess = Math.max(length - PRECISION[bits], LEAST[bits] - exponent);
  let rounded = mantissa;
  if (excess > 0) {
    const shift = BigInt(excess);
    rounded = mantissa >> shift;
    const twice = (mantissa - (rounded << shift)) << 1n;
    const unit = 1n << shift;
    if (twice > unit || (twice === unit && (rounded & 1n) === 1n)) rounded++;
  }
  if (rounded === 0n) return 0;
  const number = Number(rounded) * 2 ** (exponent + Math.max(excess, 0));
  return bits === 32 ? Math.fround(number) : number;
}

/** The next float32 away from zero, or with -1 towards it. Not for zero. */
export function nextFloat32(number: number, step: 1 | -1): number {
  view.setUint32(0, float32Pattern(number) + step);
  return view.getFloat32(0);
}
