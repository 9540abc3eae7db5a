import { afterEach, describe, expect, it } from 'vitest';
import { chosenZone, clockTime, exactTime, localTimes, showTimesIn, zoneName } from './time.ts';

const at = (...parts: [number, number, number, number?, number?, number?, number?]): number =>
  new Date(...parts).getTime();
const NOW = at(2026, 0, 5, 8);

describe('the time of day', () => {
  it('begins with 00 at midnight', () => {
    expect(clockTime(at(2026, 0, 5, 0, 5))).toBe('00:05:00');
    expect(clockTime(at(2026, 0, 5, 0, 5), false)).toBe('00:05');
  });

  it('has a date if it is not of today', () => {
    expect(exactTime(at(2026, 0, 5, 7, 0, 3, 412), NOW)).toBe('07:00:03.412');
    expect(exactTime(at(2026, 0, 4, 23, 59, 59, 7), NOW)).toBe('2026-01-04 23:59:59.007');
    expect(exactTime(at(2025, 0, 5, 8), NOW)).toBe('2025-01-05 08:00:00.000');
  });

  it('is empty where it is not known', () => {
    expect(exactTime(Number.NaN, NOW)).toBe('');
  });
});

describe('the times in a sentence', () => {
  it('become local', () => {
    const [since, next] = [at(2026, 0, 4, 20), at(2026, 0, 5, 8, 0, 40)];
    const sentence = `3 wait since ${new Date(since).toISOString()}, next try ${new Date(next).toISOString().replace('.000', '')}: no answer`;
    expect(localTimes(sentence, NOW)).toBe('3 wait since 2026-01-04 20:00:00, next try 08:00:40: no answer');
  });

  it('stay if they are none', () => {
    const sentence = 'at 2026-99-99T99:99:99Z, in 2026-01-05, of x2026-01-05T08:00:00Zx';
    expect(localTimes(sentence, NOW)).toBe(sentence);
  });
});

describe('the zone', () => {
  afterEach(() => {
    showTimesIn(undefined);
  });

  it('is that of all times', () => {
    showTimesIn('Asia/Tokyo');
    const evening = Date.UTC(2026, 0, 5, 20, 0, 3);
    expect(exactTime(evening, evening)).toBe('05:00:03.000');
    expect(exactTime(evening, evening + 86_400_000)).toBe('2026-01-06 05:00:03.000');
    expect(localTimes('since 2026-01-05T20:00:03Z', evening)).toBe('since 05:00:03');
    expect(zoneName()).toBe('Asia/Tokyo');
    expect(chosenZone()).toBe('Asia/Tokyo');
  });

  it.each([undefined, '', 'Nowhere/Land', '__proto__'])('%j is that of the reader', (name) => {
    showTimesIn(name);
    expect(zoneName()).toBe('local time');
    expect(chosenZone()).toBe('');
    expect(clockTime(at(2026, 0, 5, 8))).toBe('08:00:00');
  });
});
