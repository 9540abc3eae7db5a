import { expect, it } from 'vitest';
import { ageOf } from './age.ts';

const NOW = Date.parse('2026-01-10T00:00:00Z');

it.each([
  ['2026-01-09T23:59:59Z', '1s'],
  ['2026-01-09T23:58:01Z', '119s'],
  ['2026-01-09T23:58:00Z', '2m'],
  ['2026-01-09T21:00:01Z', '179m'],
  ['2026-01-09T21:00:00Z', '3h'],
  ['2026-01-08T00:00:00Z', '2d'],
  ['2026-01-10T00:00:09Z', '0s'],
  ['', '-'],
  ['yesterday', '-'],
])('%s is %s', (time, age) => {
  expect(ageOf(time, NOW)).toBe(age);
});
