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
  ['99999999999999999999h', 'time: invalid duration "99999999999999999999h"'],
  ['-9223372036854775809ns', 'time: invalid duration "-9223372036854775809ns"'],
  ['1é', 'time: unknown unit "\\xc3\\xa9" in duration "1\\xc3\\xa9"'],
  ['5μs', 5000n],
  ['1us2ns', 1002n],
  ['9223372036854775807ns', 9223372036854775807n],
  ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
  ['-9223372036854775808ns', -9223372036854775808n],
  ['2562047h47m16.854775808s', 'time: invalid duration "2562047h47m16.854775808s"'],
  ['-9223372036854775808ns9223372036854775808ns', 0n],
])('parses %j as Go does', (text, expected) => {
  if (typeof expected === 'bigint') expect(parseDuration(text)).toBe(expected);
  else expect(() => parseDuration(text)).toThrow(new GoError(expected));
});

test.each([
  [1000n, '1µs', '0s', '0s'],
  [-2200000n, '-2.2ms', '0s', '0s'],
  [999999999n, '999.999999ms', '1s', '0s'],
  [245001000000n, '4m5.001s', '4m5s', '4m5s'],
  [18367001000000n, '5h6m7.001s', '5h6m7s', '5h6m7s'],
  [9223372036854775807n, '2562047h47m16.854775807s', '2562047h47m16.854775807s', '2562047h47m16s'],
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
