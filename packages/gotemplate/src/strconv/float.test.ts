import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GoError } from '../errors.ts';
import type { FloatBits } from './binary.ts';
import { type FloatFormat, formatFloat, parseFloat } from './float.ts';

describe('formatFloat, as Go formats', () => {
  it.each<[number, FloatFormat, number, FloatBits, string]>([
    [1e-7, 'f', -1, 64, '0.0000001'],
    [1e21, 'f', -1, 64, '1000000000000000000000'],
    [1e23, 'f', -1, 64, '100000000000000000000000'],
    [0.5, 'f', 0, 64, '0'],
    [2.5, 'f', 0, 64, '2'],
    [-Infinity, 'f', 3, 64, '-Inf'],
    [NaN, 'e', 3, 64, 'NaN'],
    [0, 'x', 2, 64, '0x0.00p+00'],
    [Math.fround(3.4028234663852886e38), 'g', -1, 32, '3.4028235e+38'],
    [Math.fround(1.401298464324817e-45), 'g', -1, 32, '1e-45'],
    [Math.fround(420246.625), 'g', -1, 32, '420246.62'],
    [1e22, 'f', 2, 64, '10000000000000000000000.00'],
    [
      0.3333333333333333,
      'f',
      110,
      64,
      '0.33333333333333331482961625624739099293947219848632812500000000000000000000000000000000000000000000000000000000',
    ],
    [1.15, 'e', 1, 64, '1.1e+00'],
    [2.675, 'e', 2, 64, '2.67e+00'],
    [0.15, 'g', 1, 64, '0.1'],
    [1.15625, 'x', 1, 64, '0x1.2p+00'],
    [1.21875, 'x', 1, 64, '0x1.4p+00'],
    [2 ** -96, 'g', -1, 32, '1.2621775e-29'],
    [2 ** 87, 'g', -1, 32, '1.5474251e+26'],
    [2 ** 90, 'g', -1, 32, '1.2379401e+27'],
    [0, 'e', -1, 64, '0e+00'],
    [1, 'e', -1, 64, '1e+00'],
    [9.5, 'e', 0, 64, '1e+01'],
    [99.5, 'e', 1, 64, '1.0e+02'],
    [5e-324, 'e', 6, 64, '4.940656e-324'],
    [1e-320, 'e', 4, 64, '9.9999e-321'],
    [100, 'g', 3, 64, '100'],
    [1e6, 'g', 7, 64, '1000000'],
    [1e-5, 'g', 3, 64, '1e-05'],
    [5e-324, 'g', 9, 64, '4.94065646e-324'],
    [1e16, 'g', 17, 64, '10000000000000000'],
    [Math.fround(-1), 'b', -1, 32, '-8388608p-23'],
    [0.1, 'x', 3, 64, '0x1.99ap-04'],
    [1.999999, 'x', 2, 64, '0x1.00p+01'],
    [1.5, 'x', 0, 64, '0x1p+01'],
    [1.25, 'x', 0, 64, '0x1p+00'],
    [Math.fround(1), 'x', -1, 32, '0x1p+00'],
    [Math.fround(0.1), 'g', -1, 32, '0.1'],
    [Math.fround(1.6777216e7), 'g', -1, 32, '1.6777216e+07'],
    [Math.fround(0.000244140625), 'g', -1, 32, '0.00024414063'],
    [Math.fround(0.1), 'e', -1, 32, '1e-01'],
  ])('%d by %s, precision %d, %d bits', (number, format, precision, bits, text) => {
    expect(formatFloat(number, format, precision, bits)).toBe(text);
  });
});

function parsed(text: string, bits: FloatBits): number | string {
  try {
    return parseFloat(text, bits);
  } catch (error) {
    if (error instanceof GoError) return error.message;
    throw error;
  }
}

describe('parseFloat, as Go parses', () => {
  it.each<[string, number | string]>([
    ['0x_1p4', 16],
    ['0x1_0p-4', 1],
    ['0x1.fffffffffffff8p0', 2],
    ['0x1.00000000000018p0', 1.0000000000000004],
    ['0x1.00000000000008p0', 1],
    ['0x1p-1074', 5e-324],
    ['0x1p-1075', 0],
    ['1e309', 'strconv.ParseFloat: parsing "1e309": value out of range'],
    ['1__0', 'strconv.ParseFloat: parsing "1__0": invalid syntax'],
    ['1\udc80', 'strconv.ParseFloat: parsing "1\\x80": invalid syntax'],
  ])('%j', (text, result) => {
    expect(parsed(text, 64)).toBe(result);
  });

  it.each<[string, number | string]>([
    ['16777217', 1.6777216e7],
    ['16777219', 1.677722e7],
    ['16777217.0000000001', 1.6777218e7],
    ['3.4028235677973365e38', 3.4028234663852886e38],
    ['3.4028235677973366e38', 3.4028234663852886e38],
    ['7.006492321624085e-46', 0],
    ['7.0064923216240854e-46', 1.401298464324817e-45],
    ['7.0064923216240855e-46', 1.401298464324817e-45],
    ['0x1.000003p0', 1.000000238418579],
    ['-0x1p128', 'strconv.ParseFloat: parsing "-0x1p128": value out of range'],
  ])('%j to 32 bits', (text, result) => {
    expect(parsed(text, 32)).toBe(result);
  });
});

describe('numbers', () => {
  const runs = { seed: 1, numRuns: 2000 };
  const formats = fc.constantFrom<FloatFormat>('e', 'E', 'f', 'g', 'G', 'x', 'X');

  it('parse to the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), formats, (number, format) => {
        expect(parseFloat(formatFloat(number, format, -1))).toBe(number);
      }),
      runs,
    );
  });

  it('of 32 bits parse to the same number', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true }), formats, (number, format) => {
        expect(parseFloat(formatFloat(number, format, -1, 32), 32)).toBe(number);
      }),
      runs,
    );
  });

  it('with seventeen digits parse to the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(parseFloat(formatFloat(number, 'e', 16))).toBe(number);
      }),
      runs,
    );
  });
});
