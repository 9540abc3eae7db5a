import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GoError } from '../errors.ts';
import type { FloatBits } from './binary.ts';
import { type FloatFormat, formatFloat, parseFloat } from './float.ts';

describe('formatFloat, as Go formats', () => {
  it.each<[number, FloatFormat, number, FloatBits, string]>([
    [1, 'g', -1, 64, '1'],
    [1e6, 'g', -1, 64, '1e+06'],
    [100000, 'g', -1, 64, '100000'],
    [999999.5, 'g', -1, 64, '999999.5'],
    [0.0001, 'g', -1, 64, '0.0001'],
    [1e-5, 'g', -1, 64, '1e-05'],
    [1e21, 'g', -1, 64, '1e+21'],
    [1e100, 'G', -1, 64, '1E+100'],
    [-1.5e-9, 'G', -1, 64, '-1.5E-09'],
    [5e-324, 'g', -1, 64, '5e-324'],
    [Number.MAX_VALUE, 'g', -1, 64, '1.7976931348623157e+308'],
    [-0, 'g', -1, 64, '-0'],
    [Infinity, 'g', -1, 64, '+Inf'],
    [-Infinity, 'f', 3, 64, '-Inf'],
    [NaN, 'e', 3, 64, 'NaN'],
    [1.1258999068426242e15, 'g', -1, 64, '1.1258999068426242e+15'],
    [1.1258999068426248e15, 'g', -1, 64, '1.1258999068426248e+15'],
    [2.9802322387695312e-8, 'e', -1, 64, '2.9802322387695312e-08'],
    [123.456, 'f', -1, 64, '123.456'],
    [1e-7, 'f', -1, 64, '0.0000001'],
    [1e21, 'f', -1, 64, '1000000000000000000000'],
    [1e23, 'f', -1, 64, '100000000000000000000000'],
    [0, 'f', -1, 64, '0'],
    [5e-324, 'f', 5, 64, '0.00000'],
    [0.5, 'f', 0, 64, '0'],
    [1.5, 'f', 0, 64, '2'],
    [2.5, 'f', 0, 64, '2'],
    [-2.5, 'f', 0, 64, '-2'],
    [0.125, 'f', 2, 64, '0.12'],
    [0.375, 'f', 2, 64, '0.38'],
    [1.005, 'f', 2, 64, '1.00'],
    [0.09, 'f', 1, 64, '0.1'],
    [99.95, 'f', 1, 64, '100.0'],
    [1e22, 'f', 2, 64, '10000000000000000000000.00'],
    [0.1, 'f', 30, 64, '0.100000000000000005551115123126'],
    [
      0.3333333333333333,
      'f',
      110,
      64,
      '0.33333333333333331482961625624739099293947219848632812500000000000000000000000000000000000000000000000000000000',
    ],
    [4.35, 'f', 1, 64, '4.3'],
    [1.15, 'e', 1, 64, '1.1e+00'],
    [2.675, 'e', 2, 64, '2.67e+00'],
    [0.15, 'g', 1, 64, '0.1'],
    [1.15625, 'x', 1, 64, '0x1.2p+00'],
    [1.21875, 'x', 1, 64, '0x1.4p+00'],
    [2 ** -96, 'g', -1, 32, '1.2621775e-29'],
    [2 ** 87, 'g', -1, 32, '1.5474251e+26'],
    [2 ** 90, 'g', -1, 32, '1.2379401e+27'],
    [0, 'e', -1, 64, '0e+00'],
    [0, 'e', 2, 64, '0.00e+00'],
    [1, 'e', -1, 64, '1e+00'],
    [123456, 'e', -1, 64, '1.23456e+05'],
    [123456, 'e', 2, 64, '1.23e+05'],
    [25, 'e', 0, 64, '2e+01'],
    [35, 'e', 0, 64, '4e+01'],
    [9.5, 'e', 0, 64, '1e+01'],
    [99.5, 'e', 1, 64, '1.0e+02'],
    [0.1, 'e', 20, 64, '1.00000000000000005551e-01'],
    [5e-324, 'e', 6, 64, '4.940656e-324'],
    [1e-320, 'e', 4, 64, '9.9999e-321'],
    [1e100, 'E', 3, 64, '1.000E+100'],
    [Number.MAX_VALUE, 'e', 17, 64, '1.79769313486231571e+308'],
    [0, 'g', 3, 64, '0'],
    [100, 'g', 3, 64, '100'],
    [100, 'g', 2, 64, '1e+02'],
    [100, 'g', 0, 64, '1e+02'],
    [1234.5678, 'g', 6, 64, '1234.57'],
    [1e6, 'g', 7, 64, '1000000'],
    [1e6, 'g', 6, 64, '1e+06'],
    [0.0001, 'g', 3, 64, '0.0001'],
    [1e-5, 'g', 3, 64, '1e-05'],
    [0.1, 'g', 17, 64, '0.10000000000000001'],
    [0.1, 'g', 25, 64, '0.1000000000000000055511151'],
    [1.5, 'g', 10, 64, '1.5'],
    [5e-324, 'g', 9, 64, '4.94065646e-324'],
    [1e16, 'g', 16, 64, '1e+16'],
    [1e16, 'g', 17, 64, '10000000000000000'],
    [1.5, 'b', -1, 64, '6755399441055744p-52'],
    [0, 'b', -1, 64, '0p-1074'],
    [Math.fround(-1), 'b', -1, 32, '-8388608p-23'],
    [5e-324, 'b', -1, 64, '1p-1074'],
    [0, 'x', -1, 64, '0x0p+00'],
    [0, 'x', 2, 64, '0x0.00p+00'],
    [1, 'x', -1, 64, '0x1p+00'],
    [-1.5, 'x', -1, 64, '-0x1.8p+00'],
    [0.1, 'x', -1, 64, '0x1.999999999999ap-04'],
    [0.1, 'X', -1, 64, '0X1.999999999999AP-04'],
    [0.1, 'x', 3, 64, '0x1.99ap-04'],
    [1.999999, 'x', 2, 64, '0x1.00p+01'],
    [1.5, 'x', 0, 64, '0x1p+01'],
    [1.25, 'x', 0, 64, '0x1p+00'],
    [5e-324, 'x', -1, 64, '0x1p-1074'],
    [Number.MAX_VALUE, 'x', -1, 64, '0x1.fffffffffffffp+1023'],
    [1e300, 'x', 20, 64, '0x1.7e43c8800759c0000000p+996'],
    [Math.fround(1), 'x', -1, 32, '0x1p+00'],
    [Math.fround(0.1), 'g', -1, 32, '0.1'],
    [Math.fround(1.6777216e7), 'g', -1, 32, '1.6777216e+07'],
    [Math.fround(3.4028234663852886e38), 'g', -1, 32, '3.4028235e+38'],
    [Math.fround(1.401298464324817e-45), 'g', -1, 32, '1e-45'],
    [Math.fround(0.000244140625), 'g', -1, 32, '0.00024414063'],
    [Math.fround(420246.625), 'g', -1, 32, '420246.62'],
    [Math.fround(0.1), 'f', 10, 32, '0.1000000015'],
    [Math.fround(0.1), 'e', -1, 32, '1e-01'],
    [Math.fround(0.1), 'x', -1, 32, '0x1.99999ap-04'],
    [Math.fround(0.1), 'b', -1, 32, '13421773p-27'],
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
    ['1', 1],
    ['-1.5', -1.5],
    ['+2', 2],
    ['1.', 1],
    ['  1', 'strconv.ParseFloat: parsing "  1": invalid syntax'],
    ['.5', 0.5],
    ['1e3', 1000],
    ['1E-3', 0.001],
    ['1e+3', 1000],
    ['1e', 'strconv.ParseFloat: parsing "1e": invalid syntax'],
    ['e1', 'strconv.ParseFloat: parsing "e1": invalid syntax'],
    ['.', 'strconv.ParseFloat: parsing ".": invalid syntax'],
    ['', 'strconv.ParseFloat: parsing "": invalid syntax'],
    ['+', 'strconv.ParseFloat: parsing "+": invalid syntax'],
    ['-', 'strconv.ParseFloat: parsing "-": invalid syntax'],
    ['1_000', 1000],
    ['0x1p-2', 0.25],
    ['0X1.8P1', 3],
    ['0x.8p0', 0.5],
    ['0x1', 'strconv.ParseFloat: parsing "0x1": invalid syntax'],
    ['0xp1', 'strconv.ParseFloat: parsing "0xp1": invalid syntax'],
    ['0x_1p4', 16],
    ['0x1_0p-4', 1],
    ['0_1.5', 1.5],
    ['1__0', 'strconv.ParseFloat: parsing "1__0": invalid syntax'],
    ['_1', 'strconv.ParseFloat: parsing "_1": invalid syntax'],
    ['1_', 'strconv.ParseFloat: parsing "1_": invalid syntax'],
    ['0x1p', 'strconv.ParseFloat: parsing "0x1p": invalid syntax'],
    ['0x1.fffffffffffff8p0', 2],
    ['0x1.00000000000008p0', 1],
    ['0x1.00000000000018p0', 1.0000000000000004],
    ['0x1p-1074', 5e-324],
    ['0x1p-1075', 0],
    ['0x1.8p-1075', 5e-324],
    ['0x1p1023', 8.98846567431158e307],
    ['0x1p1024', 'strconv.ParseFloat: parsing "0x1p1024": value out of range'],
    ['-0x1p1024', 'strconv.ParseFloat: parsing "-0x1p1024": value out of range'],
    ['0x123456789abcdef123456789abcdef123456789p0', 6.495562832581791e45],
    ['1e308', 1e308],
    ['1e309', 'strconv.ParseFloat: parsing "1e309": value out of range'],
    ['-1e400', 'strconv.ParseFloat: parsing "-1e400": value out of range'],
    ['1e-400', 0],
    ['4.9e-324', 5e-324],
    ['2.4e-324', 0],
    ['inf', Infinity],
    ['+Inf', Infinity],
    ['-infinity', -Infinity],
    ['INFINITY', Infinity],
    ['infin', 'strconv.ParseFloat: parsing "infin": invalid syntax'],
    ['nan', NaN],
    ['NaN', NaN],
    ['+nan', 'strconv.ParseFloat: parsing "+nan": invalid syntax'],
    ['0b1', 'strconv.ParseFloat: parsing "0b1": invalid syntax'],
    ['0o7', 'strconv.ParseFloat: parsing "0o7": invalid syntax'],
    ['1,5', 'strconv.ParseFloat: parsing "1,5": invalid syntax'],
    ['१', 'strconv.ParseFloat: parsing "१": invalid syntax'],
    ['1\udc80', 'strconv.ParseFloat: parsing "1\\x80": invalid syntax'],
    ['0.1e1_0', 1e9],
    ['1e1000000000000', 'strconv.ParseFloat: parsing "1e1000000000000": value out of range'],
    ['0000000000000000000001', 1],
    ['9007199254740993', 9.007199254740992e15],
    ['123456789012345678901234567890', 1.2345678901234568e29],
  ])('%j', (text, result) => {
    expect(parsed(text, 64)).toBe(result);
  });

  it.each<[string, number | string]>([
    ['0.1', 0.10000000149011612],
    ['16777217', 1.6777216e7],
    ['16777219', 1.677722e7],
    ['16777217.0000000001', 1.6777218e7],
    ['3.4028235e38', 3.4028234663852886e38],
    ['3.4028235677973365e38', 3.4028234663852886e38],
    ['3.4028235677973366e38', 3.4028234663852886e38],
    ['3.4028236e38', 'strconv.ParseFloat: parsing "3.4028236e38": value out of range'],
    ['1e-46', 0],
    ['7.006492321624085e-46', 0],
    ['7.0064923216240853e-46', 0],
    ['7.0064923216240854e-46', 1.401298464324817e-45],
    ['7.0064923216240855e-46', 1.401298464324817e-45],
    ['0x1.000001p0', 1],
    ['0x1.000003p0', 1.000000238418579],
    ['-0x1p128', 'strconv.ParseFloat: parsing "-0x1p128": value out of range'],
    ['1.00000005960464477539062499999', 1],
    ['1.00000005960464477539062500000', 1],
    ['1.00000005960464477539062500001', 1.0000001192092896],
    ['-1.00000005960464477539062500001', -1.0000001192092896],
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
