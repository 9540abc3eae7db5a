import { expect, it } from 'vitest';

import { ageOf, humanDuration } from './age.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

it.each([
  [-2 * SECOND, '<invalid>'],
  [-SECOND, '0s'],
  [0, '0s'],
  [119 * SECOND, '119s'],
  [2 * MINUTE, '2m'],
  [2 * MINUTE + 5 * SECOND, '2m5s'],
  [10 * MINUTE + 5 * SECOND, '10m'],
  [179 * MINUTE, '179m'],
  [3 * HOUR, '3h'],
  [3 * HOUR + 7 * MINUTE, '3h7m'],
  [47 * HOUR, '47h'],
  [2 * DAY + 3 * HOUR, '2d3h'],
  [8 * DAY + 3 * HOUR, '8d'],
  [729 * DAY, '729d'],
  [730 * DAY, '2y'],
  [735 * DAY, '2y5d'],
  [10 * 365 * DAY + DAY, '10y'],
])('%d ms are shown as %s, as by kubectl', (ms, text) => {
  expect(humanDuration(ms)).toBe(text);
});

it('shows no age without a time, and an invalid one as such', () => {
  expect(ageOf('', 0)).toBe('<unknown>');
  expect(ageOf('soon', 0)).toBe('<invalid>');
});
