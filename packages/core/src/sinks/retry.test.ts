import { expect, it } from 'vitest';
import { pauseOf } from './retry.ts';

it.each([
  [undefined, 1_000],
  [0, 1_000],
  [20_000, 20_000],
  [86_400_000, 900_000],
])('a receiver that throttles and names %s ms is left alone for %i ms', (named, ms) => {
  expect(pauseOf(named)).toBe(ms);
});
