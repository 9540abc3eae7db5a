import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GoError } from '../errors.ts';
import { parseInt, parseUint } from './int.ts';

function parsed(parse: () => bigint): bigint | string {
  try {
    return parse();
  } catch (error) {
    if (error instanceof GoError) return error.message;
    throw error;
  }
}

describe('parseInt, as Go parses', () => {
  it.each<[string, number, number, bigint | string]>([
    ['0', 10, 64, 0n],
    ['-0', 10, 64, 0n],
    ['42', 10, 64, 42n],
    ['+42', 10, 64, 42n],
    ['-42', 10, 0, -42n],
    ['', 10, 64, 'strconv.ParseInt: parsing "": invalid syntax'],
    ['-', 10, 64, 'strconv.ParseInt: parsing "-": invalid syntax'],
    ['+', 0, 64, 'strconv.ParseInt: parsing "+": invalid syntax'],
    ['4 2', 10, 64, 'strconv.ParseInt: parsing "4 2": invalid syntax'],
    ['1_000', 10, 64, 'strconv.ParseInt: parsing "1_000": invalid syntax'],
    ['1_000', 0, 64, 1000n],
    ['1__0', 0, 64, 'strconv.ParseInt: parsing "1__0": invalid syntax'],
    ['_1', 0, 64, 'strconv.ParseInt: parsing "_1": invalid syntax'],
    ['1_', 0, 64, 'strconv.ParseInt: parsing "1_": invalid syntax'],
    ['0x1F', 0, 64, 31n],
    ['-0X1f', 0, 64, -31n],
    ['0x1F', 10, 64, 'strconv.ParseInt: parsing "0x1F": invalid syntax'],
    ['0x1F', 16, 64, 'strconv.ParseInt: parsing "0x1F": invalid syntax'],
    ['1F', 16, 64, 31n],
    ['0b101', 0, 64, 5n],
    ['0o17', 0, 64, 15n],
    ['017', 0, 64, 15n],
    ['017', 10, 64, 17n],
    ['08', 0, 64, 'strconv.ParseInt: parsing "08": invalid syntax'],
    ['0_7', 0, 64, 7n],
    ['0x_f', 0, 64, 15n],
    ['0x', 0, 64, 'strconv.ParseInt: parsing "0x": invalid syntax'],
    ['0b', 0, 64, 'strconv.ParseInt: parsing "0b": invalid syntax'],
    ['0b2', 0, 64, 'strconv.ParseInt: parsing "0b2": invalid syntax'],
    ['zZ', 36, 64, 1295n],
    ['z', 35, 64, 'strconv.ParseInt: parsing "z": invalid syntax'],
    ['9223372036854775807', 10, 64, 9223372036854775807n],
    ['9223372036854775808', 10, 64, 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    ['-9223372036854775808', 10, 64, -9223372036854775808n],
    ['-9223372036854775809', 10, 64, 'strconv.ParseInt: parsing "-9223372036854775809": value out of range'],
    [
      '18446744073709551616x',
      10,
      64,
      'strconv.ParseInt: parsing "18446744073709551616x": value out of range',
    ],
    [
      '99999999999999999999x',
      10,
      64,
      'strconv.ParseInt: parsing "99999999999999999999x": value out of range',
    ],
    ['127', 10, 8, 127n],
    ['128', 10, 8, 'strconv.ParseInt: parsing "128": value out of range'],
    ['-128', 10, 8, -128n],
    ['-129', 10, 8, 'strconv.ParseInt: parsing "-129": value out of range'],
    ['40000', 10, 16, 'strconv.ParseInt: parsing "40000": value out of range'],
    ['1', 1, 64, 'strconv.ParseInt: parsing "1": invalid base 1'],
    ['1', 37, 64, 'strconv.ParseInt: parsing "1": invalid base 37'],
    ['1', 10, 65, 'strconv.ParseInt: parsing "1": invalid bit size 65'],
    ['1', 10, -1, 'strconv.ParseInt: parsing "1": invalid bit size -1'],
    ['3.0', 0, 64, 'strconv.ParseInt: parsing "3.0": invalid syntax'],
    ['٣', 10, 64, 'strconv.ParseInt: parsing "٣": invalid syntax'],
    ['000000000000000000000000001', 10, 64, 1n],
  ])('%j, base %d, %d bits', (text, base, bits, result) => {
    expect(parsed(() => parseInt(text, base, bits))).toBe(result);
  });
});

describe('parseUint, as Go parses', () => {
  it.each<[string, number, number, bigint | string]>([
    ['42', 10, 64, 42n],
    ['+42', 10, 64, 'strconv.ParseUint: parsing "+42": invalid syntax'],
    ['-1', 10, 64, 'strconv.ParseUint: parsing "-1": invalid syntax'],
    ['', 10, 64, 'strconv.ParseUint: parsing "": invalid syntax'],
    ['18446744073709551615', 10, 64, 18446744073709551615n],
    ['18446744073709551616', 10, 64, 'strconv.ParseUint: parsing "18446744073709551616": value out of range'],
    ['255', 10, 8, 255n],
    ['256', 10, 8, 'strconv.ParseUint: parsing "256": value out of range'],
    ['0xffffffffffffffff', 0, 0, 18446744073709551615n],
    ['1777777777777777777777', 8, 64, 18446744073709551615n],
    [
      '2000000000000000000000',
      8,
      64,
      'strconv.ParseUint: parsing "2000000000000000000000": value out of range',
    ],
    ['a', 10, 64, 'strconv.ParseUint: parsing "a": invalid syntax'],
  ])('%j, base %d, %d bits', (text, base, bits, result) => {
    expect(parsed(() => parseUint(text, base, bits))).toBe(result);
  });
});

it('a number formatted in a base parses in it', () => {
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.integer({ min: 2, max: 36 }), (number, base) => {
      expect(parseInt(number.toString(base), base)).toBe(number);
    }),
    { seed: 1 },
  );
});
