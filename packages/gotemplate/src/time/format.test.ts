import { expect, test } from 'vitest';
import { formatTime, goString } from './format.ts';
import { UTC, fixedZone, loadLocation, localLocation } from './location.ts';
import { Time } from './time.ts';

const STJOHNS = loadLocation('America/St_Johns') ?? UTC;

// 2024-02-29 13:04:09.120045 UTC.
test.each([
  [
    '2006|06|1|01|Jan|January|2|02|_2|002|__2|Mon|Monday',
    '2024|24|2|02|Feb|February|29|29|29|060| 60|Thu|Thursday',
  ],
  ['15|3|03|4|04|5|05|PM|pm', '09|9|09|34|34|9|09|AM|am'],
  ['MST|Z07|Z0700|Z07:00|Z070000|Z07:00:00', 'NST|-03|-0330|-03:30|-033000|-03:30:00'],
  ['-07|-0700|-07:00|-070000|-07:00:00', '-03|-0330|-03:30|-033000|-03:30:00'],
  ['.0|.000|.000000000|.9|.999|.999999999', '.1|.120|.120045000|.1|.12|.120045'],
  [',000|,999|05.000|5,9|.01|.99 .09', ',120|,12|09.120|9,1|.02|.12 .09'],
  ['Month Mondays Janet Monthly', 'Month Thursdays Janet Monthly'],
  ['_2006|__2006|2006_01_02|0102|012|0006|00002', '_2024| 60024|2024_02_29|0229|0229|0024|00060'],
  ['Z0701|z07:00|-0|-7|2nd 15h04|日2006年', '-0302|z07:00|-0|-7|29nd 09h34|日2024年'],
])('formats %j as Go does', (layout, expected) => {
  expect(formatTime(Time.unix(1709211849, 120_045_000, STJOHNS), layout)).toBe(expected);
});

test.each([
  [-62167219201n, undefined, '2006-01-02 06 Mon 002', '-0001-12-31 01 Fri 365'],
  [-9223372036854775808n, undefined, '2006-01-02 15:04:05', '292277026596-12-04 15:30:08'],
  [-9223372028741760001n, undefined, '2006-01-02 15:04:05', '292277026854-01-07 07:00:15'],
  [-9223372028741569892n, -360001, '2006-01-02 15:04:05', '292277026854-01-05 07:48:43'],
  [0n, -360001, 'MST -0700 -07:00:00', '-10000 -10000 -100:00:01'],
])('formats %d seconds at offset %d as Go does', (seconds, offset, layout, expected) => {
  const location = offset === undefined ? UTC : fixedZone('', offset);
  expect(formatTime(Time.unix(seconds, 0, location), layout)).toBe(expected);
});

test('the number of decimals has twelve bits, as in Go', () => {
  expect(formatTime(Time.unix(0, 5), `.${'0'.repeat(4096)}|`)).toBe('.|');
  expect(formatTime(Time.unix(0, 5), `.${'0'.repeat(4097)}|`)).toBe('.0|');
});

test('a time prints with zone, fraction and monotonic clock reading', () => {
  expect(String(Time.unix(0, 5_000_000, STJOHNS))).toBe('1969-12-31 20:30:00.005 -0330 NST');
  expect(String(Time.unix(0).withMonotonic(12_300_000_000n))).toBe(
    '1970-01-01 00:00:00 +0000 UTC m=+12.300000000',
  );
  expect(String(Time.unix(0).withMonotonic(-1n))).toBe('1970-01-01 00:00:00 +0000 UTC m=-0.000000001');
});

test('%#v shows the location', () => {
  const time = Time.unix(0, 7);
  expect(goString(time)).toBe('time.Date(1970, time.January, 1, 0, 0, 0, 7, time.UTC)');
  expect(goString(time.in(localLocation('UTC')))).toMatch(/7, time\.Local\)$/);
  expect(goString(time.in(fixedZone('', 60)))).toMatch(/1, 0, 7, time\.Location\(""\)\)$/);
  expect(goString(time.in(fixedZone('a"é', 0)))).toMatch(/time\.Location\("a\\"\\xc3\\xa9"\)\)$/);
});
