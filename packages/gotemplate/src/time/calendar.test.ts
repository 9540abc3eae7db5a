import fc from 'fast-check';
import { expect, test } from 'vitest';
import { civilDate, daysIn, daysOf, isLeap, weekday, yearDay } from './calendar.ts';

const date = fc.record({
  year: fc.integer({ min: -300_000_000_000, max: 300_000_000_000 }),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 28 }),
});

test('dates and days convert into each other', () => {
  fc.assert(
    fc.property(date, (given) => {
      expect(civilDate(daysOf(given.year, given.month, given.day))).toEqual(given);
    }),
    { seed: 1582 },
  );
});

test('agrees with Date in its range', () => {
  fc.assert(
    fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), (days) => {
      const expected = new Date(days * 86_400_000);
      const { year, month, day } = civilDate(days);
      expect([year, month, day, weekday(days)]).toEqual([
        expected.getUTCFullYear(),
        expected.getUTCMonth() + 1,
        expected.getUTCDate(),
        expected.getUTCDay(),
      ]);
    }),
    { seed: 1752 },
  );
});

test('leap days', () => {
  expect([1900, 2000, 2023, 2024, 0, -4, -100].map(isLeap)).toEqual([
    false,
    true,
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(civilDate(daysOf(2024, 2, 29))).toEqual({ year: 2024, month: 2, day: 29 });
  expect(civilDate(daysOf(2023, 2, 29))).toEqual({ year: 2023, month: 3, day: 1 });
  expect(yearDay(daysOf(2024, 12, 31), 2024)).toBe(366);
  expect([1, 2, 4, 12].map((month) => daysIn(month, 2023))).toEqual([31, 28, 30, 31]);
});
