import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lastNight, nightBefore, nightOn, timeOfDay } from './night-window.ts';

const HOUR_MS = 3_600_000;
const ZONES = ['UTC', 'Europe/Paris', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Kiritimati'];

it('a night lasts from noon to noon by the clocks of its zone, also when they change', () => {
  expect(nightOn('2026-01-05', 'UTC')).toEqual({
    ...{ date: '2026-01-05', zone: 'UTC' },
    ...{ from: Date.parse('2026-01-05T12:00:00Z'), to: Date.parse('2026-01-06T12:00:00Z') },
  });
  // In this night the clocks of Paris go forward.
  const spring = nightOn('2026-03-28', 'Europe/Paris');
  expect((spring?.to ?? 0) - (spring?.from ?? 0)).toBe(23 * HOUR_MS);
});

it.each(['2026-02-30', '2026-1-5', '', '2026-01-05T00:00:00Z', '20260105'])('%j is no date', (date) => {
  expect(nightOn(date, 'UTC')).toBeUndefined();
});

it('nights follow each other without a gap, and the last night is that of the evening before', () => {
  const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(time, fc.constantFrom(...ZONES), (date, zone) => {
      const now = date.getTime();
      const last = lastNight(now, zone)!;
      expect(timeOfDay(last.from, zone)).toBe('12:00');
      expect(timeOfDay(last.to, zone)).toBe('12:00');
      expect(nightBefore(last)?.to).toBe(last.from);
      // It began between 12 and 36 hours ago, an hour more or less where the clocks change.
      expect(now - last.from).toBeGreaterThanOrEqual(11 * HOUR_MS);
      expect(now - last.from).toBeLessThanOrEqual(37 * HOUR_MS);
    }),
  );
});
