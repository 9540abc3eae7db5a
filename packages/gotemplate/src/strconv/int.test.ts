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
    ['', 10, 64, 'strconv.ParseInt: parsing "": invalid syntax'],
    ['-', 10, 64, 'strconv.ParseInt: parsing "-": invalid syntax'],
    ['1_000', 10, 64, 'strconv.ParseInt: parsing "1_000": invalid syntax'],
    ['1_000', 0, 64, 1000n],
    ['0o17', 0, 64, 15n],
    ['zZ', 36, 64, 1295n],
    ['-9223372036854775808', 10, 64, -9223372036854775808n],
    ['9223372036854775808', 10, 64, 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    [
      '18446744073709551616x',
      10,
      64,
      'strconv.ParseInt: parsing "18446744073709551616x": value out of range',
    ],
    ['1', 37, 64, 'strconv.ParseInt: parsing "1": invalid base 37'],
    ['128', 10, 8, 'strconv.ParseInt: parsing "128": value out of range'],
    ['1', 10, 65, 'strconv.ParseInt: parsing "1": invalid bit size 65'],
    ['1', 10, -1, 'strconv.ParseInt: parsing "1": invalid bit size -1'],
  ])('%j, base %d, %d bits', (text, base, bits, result) => {
    expect(parsed(() => parseInt(text, base, bits))).toBe(result);
  });
});

describe('parseUint, as Go parses', () => {
  it.each<[string, number, number, bigint | string]>([
    ['0xffffffffffffffff', 0, 0, 18446744073709551615n],
    ['18446744073709551616', 10, 64, 'strconv.ParseUint: parsing "18446744073709551616": value out of range'],
    ['-1', 10, 64, 'strconv.ParseUint: parsing "-1": invalid syntax'],
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
