import { expect, it } from 'vitest';
import { formatTime, parseTime } from './time.ts';

it.each([
  ['2026-03-01T20:00:00Z', '2026-03-01T20:00:00.000Z'],
  ['2026-03-01T20:00:00.5Z', '2026-03-01T20:00:00.500Z'],
  ['2026-03-01T20:00:00.123456789Z', '2026-03-01T20:00:00.123Z'],
  ['2026-03-02T03:00:00+07:00', '2026-03-01T20:00:00.000Z'],
  ['2026-03-01t20:00:00z', '2026-03-01T20:00:00.000Z'],
  ['2026-03-01 20:00:00Z', '2026-03-01T20:00:00.000Z'],
])('reads %s, and writes it in UTC with milliseconds', (text, utc) => {
  expect(formatTime(parseTime(text) ?? 0)).toBe(utc);
});

it.each(['', 'yesterday', '2026-03-01', '2026-03-01T20:00:00', '2026-13-01T20:00:00Z', '1772395200'])(
  'does not take "%s" for an RFC 3339 time',
  (text) => {
    expect(parseTime(text)).toBeUndefined();
  },
);
