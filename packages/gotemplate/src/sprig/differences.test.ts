import { expect, test } from 'vitest';
import { formatTime } from '../time/format.ts';
import { loadLocation } from '../time/location.ts';
import { Time } from '../time/time.ts';
import { parse } from '../template.ts';
import { sprig } from './sprig.ts';

/** The output, or the error that Go does not report. */
function render(template: string): string {
  try {
    return parse('t', template, { funcs: sprig() }).execute({});
  } catch (error) {
    return String(error);
  }
}

// Rows of the README's table of known differences. If you fix one, remove its row.
test('texts of more than 1,000 characters are not numbers; Go reads 1 and 7', () => {
  expect(render('{{float64 (printf "%s1" (repeat 999 "0"))}}')).toBe('1');
  expect(render('{{float64 (printf "%s1" (repeat 1000 "0"))}}')).toBe('0');
  expect(render('{{int (printf "%s7" (repeat 999 "0"))}}')).toBe('7');
  expect(render('{{int (printf "%s7" (repeat 1000 "0"))}}')).toBe('0');
});

test('Cuba keeps summer time in the winter of 2026; the IANA data of Go is older', () => {
  const inHavana = (date: string): string =>
    formatTime(Time.fromDate(new Date(date), loadLocation('America/Havana')), '15:04 MST');
  expect(inHavana('2026-12-01T12:00:00Z')).toBe('08:00 CDT');
  expect(['2025-12-01T12:00:00Z', '2027-12-01T12:00:00Z'].map(inHavana)).toEqual(['07:00 CST', '07:00 CST']);
});
