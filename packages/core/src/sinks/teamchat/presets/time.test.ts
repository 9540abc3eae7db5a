import { expect, test } from 'vitest';
import { hasElement, isZone } from './time.ts';

test.each(
  'January Jan 1 01 Monday Mon 2 _2 02 __2 002 15 3 03 4 04 5 05 2006 06 PM pm MST -0700 Z07:00 Z07 .000 ,999'.split(
    ' ',
  ),
)('%s is an element', (element) => {
  expect(hasElement(`at ${element}`)).toBe(true);
});

test.each(['', ' ', 'YYYY-mm-dd', 'at noon', '%H:%M', 'HH:MM'])('%j has none', (layout) => {
  expect(hasElement(layout)).toBe(false);
});

test('zones are those of IANA', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Jakarta', 'America/Argentina/Ushuaia'])
    expect(isZone(zone)).toBe(true);
  for (const zone of ['', 'Local', 'local', 'europe/berlin', 'Mars/Olympus', '../etc/passwd', 'constructor'])
    expect(isZone(zone)).toBe(false);
});
