import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GoError } from '../errors.ts';
import {
  MAX_DURATION,
  MIN_DURATION,
  SECOND,
  duration,
  formatDuration,
  parseDuration,
  roundDuration,
  truncateDuration,
} from './duration.ts';

test.each([
  ['0', 0n],
  ['+0', 0n],
  ['-0', 0n],
  ['', 'time: invalid duration ""'],
  ['-', 'time: invalid duration "-"'],
  ['+', 'time: invalid duration "+"'],
  ['1', 'time: missing unit in duration "1"'],
  ['1h', 3600000000000n],
  ['-1.5h', -5400000000000n],
  ['2h45m', 9900000000000n],
  ['1.5', 'time: missing unit in duration "1.5"'],
  ['1.s', 1000000000n],
  ['.5s', 500000000n],
  ['.s', 'time: invalid duration ".s"'],
  ['-.s', 'time: invalid duration "-.s"'],
  ['1d', 'time: unknown unit "d" in duration "1d"'],
  ['1é', 'time: unknown unit "\\xc3\\xa9" in duration "1\\xc3\\xa9"'],
  ['5µs', 5000n],
  ['5μs', 5000n],
  ['1us2ns', 1002n],
  ['9223372036854775807ns', 9223372036854775807n],
  ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
  ['-9223372036854775808ns', -9223372036854775808n],
  ['-9223372036854775809ns', 'time: invalid duration "-9223372036854775809ns"'],
  ['99999999999999999999h', 'time: invalid duration "99999999999999999999h"'],
  ['2562047h47m16.854775807s', 9223372036854775807n],
  ['2562047h47m16.854775808s', 'time: invalid duration "2562047h47m16.854775808s"'],
  ['0.100000000000000000000h', 360000000000n],
  ['0.3333333333333333333h', 1200000000000n],
  ['9007199254.740993ms', 9007199254740993n],
  ['0.9223372036854775807h', 3320413933267n],
  ['39h9m14.425s', 140954425000000n],
  ['-9223372036854775808ns9223372036854775808ns', 0n],
  ['3ns\u0001', 'time: unknown unit "ns\\x01" in duration "3ns\\x01"'],
  ['1h 2m', 'time: unknown unit "h " in duration "1h 2m"'],
  ['e3s', 'time: invalid duration "e3s"'],
  ['1_0s', 'time: unknown unit "_" in duration "1_0s"'],
])('parses %j as Go does', (text, expected) => {
  if (typeof expected === 'bigint') expect(parseDuration(text)).toBe(expected);
  else expect(() => parseDuration(text)).toThrow(new GoError(expected));
});

test.each([
  [0n, '0s', '0s', '0s'],
  [1n, '1ns', '0s', '0s'],
  [-1n, '-1ns', '0s', '0s'],
  [999n, '999ns', '0s', '0s'],
  [1000n, '1µs', '0s', '0s'],
  [1100n, '1.1µs', '0s', '0s'],
  [-2200000n, '-2.2ms', '0s', '0s'],
  [3300000n, '3.3ms', '0s', '0s'],
  [999999999n, '999.999999ms', '1s', '0s'],
  [1000000000n, '1s', '1s', '1s'],
  [1100000000n, '1.1s', '1s', '1s'],
  [60000000000n, '1m0s', '1m0s', '1m0s'],
  [245001000000n, '4m5.001s', '4m5s', '4m5s'],
  [3600000000000n, '1h0m0s', '1h0m0s', '1h0m0s'],
  [18367001000000n, '5h6m7.001s', '5h6m7s', '5h6m7s'],
  [90061000000001n, '25h1m1.000000001s', '25h1m1s', '25h1m1s'],
  [480000000000001n, '133h20m0.000000001s', '133h20m0s', '133h20m0s'],
  [9223372036854775807n, '2562047h47m16.854775807s', '2562047h47m16.854775807s', '2562047h47m16s'],
  [-9223372036854775808n, '-2562047h47m16.854775808s', '-2562047h47m16.854775808s', '-2562047h47m16s'],
])('%d prints, rounds and truncates to seconds as in Go', (nanoseconds, text, rounded, cut) => {
  expect(formatDuration(nanoseconds)).toBe(text);
  expect(formatDuration(roundDuration(nanoseconds, SECOND))).toBe(rounded);
  expect(formatDuration(truncateDuration(nanoseconds, SECOND))).toBe(cut);
});

test('a multiple of 0 changes nothing, and rounding stays within 64 bits', () => {
  expect(roundDuration(7n, 0n)).toBe(7n);
  expect(truncateDuration(7n, -2n)).toBe(7n);
  expect(roundDuration(-5n, 10n)).toBe(-10n);
  expect(roundDuration(MIN_DURATION, 3600n * SECOND)).toBe(MIN_DURATION);
  expect(duration(MAX_DURATION + 1n).value).toBe(MIN_DURATION);
});

test('parses its own output', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: MIN_DURATION, max: MAX_DURATION }), fc.nat(63), (wide, shift) => {
      const nanoseconds = wide >> BigInt(shift);
      expect(parseDuration(formatDuration(nanoseconds))).toBe(nanoseconds);
    }),
    { seed: 73 },
  );
});
