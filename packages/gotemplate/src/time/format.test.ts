import { expect, test } from 'vitest';
import { formatTime, goString } from './format.ts';
import { UTC, fixedZone, loadLocation, localLocation } from './location.ts';
import { Time } from './time.ts';

const STJOHNS = loadLocation('America/St_Johns') ?? UTC;

// 2024-02-29 13:04:09.120045 UTC.
test.each([
  ['2006', '2024'],
  ['06', '24'],
  ['1', '2'],
  ['01', '02'],
  ['Jan', 'Feb'],
  ['January', 'February'],
  ['2', '29'],
  ['02', '29'],
  ['_2', '29'],
  ['002', '060'],
  ['__2', ' 60'],
  ['Mon', 'Thu'],
  ['Monday', 'Thursday'],
  ['15', '09'],
  ['3', '9'],
  ['03', '09'],
  ['4', '34'],
  ['04', '34'],
  ['5', '9'],
  ['05', '09'],
  ['PM', 'AM'],
  ['pm', 'am'],
  ['MST', 'NST'],
  ['Z07', '-03'],
  ['Z0700', '-0330'],
  ['Z07:00', '-03:30'],
  ['Z070000', '-033000'],
  ['Z07:00:00', '-03:30:00'],
  ['-07', '-03'],
  ['-0700', '-0330'],
  ['-07:00', '-03:30'],
  ['-070000', '-033000'],
  ['-07:00:00', '-03:30:00'],
  ['.0', '.1'],
  ['.000', '.120'],
  ['.000000000', '.120045000'],
  ['.0000000000', '.120045000'],
  ['.9', '.1'],
  ['.999', '.12'],
  ['.999999999', '.120045'],
  [',000', ',120'],
  [',999', ',12'],
  ['05.000', '09.120'],
  ['5,9', '9,1'],
  ['.01', '.02'],
  ['.99 .09', '.12 .09'],
  ['Month Mondays Janet Monthly', 'Month Thursdays Janet Monthly'],
  ['_2006', '_2024'],
  ['__2006', ' 60024'],
  ['2006_01_02', '2024_02_29'],
  ['0102', '0229'],
  ['012', '0229'],
  ['Z0701', '-0302'],
  ['z07:00', 'z07:00'],
  ['-0', '-0'],
  ['-7', '-7'],
  ['2nd 15h04', '29nd 09h34'],
  ['', ''],
  ['no tokens', 'no tokens'],
  ['日2006年', '日2024年'],
  ['0006', '0024'],
  ['00002', '00060'],
])('formats %j as Go does', (layout, expected) => {
  expect(formatTime(Time.unix(1709211849, 120_045_000, STJOHNS), layout)).toBe(expected);
});

test.each([
  [0n, undefined, '2006 06 Jan', '1970 70 Jan'],
  [-62135596800n, undefined, '2006-01-02 06', '0001-01-01 01'],
  [-62167219201n, undefined, '2006-01-02 06 Mon 002', '-0001-12-31 01 Fri 365'],
  [-99999999999n, undefined, '2006 06', '-1199 99'],
  [999999999999n, undefined, '2006 06', '33658 58'],
  [9223372036854775807n, undefined, '2006-01-02 15:04:05', '292277026596-12-04 15:30:07'],
  [-9223372036854775808n, undefined, '2006-01-02 15:04:05', '292277026596-12-04 15:30:08'],
  [-9223372028741760000n, undefined, '2006-01-02 15:04:05', '-292277022400-03-01 00:00:00'],
  [-9223372028741760001n, undefined, '2006-01-02 15:04:05', '292277026854-01-07 07:00:15'],
  [-9223372028741569892n, -360001, '2006-01-02 15:04:05', '292277026854-01-05 07:48:43'],
  [43200n, undefined, '3 03 PM pm', '12 12 PM pm'],
  [43199n, undefined, '3 PM', '11 AM'],
  [0n, undefined, '3 03 PM', '12 12 AM'],
  [46800n, undefined, '3 03 pm', '1 01 pm'],
  [0n, -30, 'MST -07:00:00 -070000', '+0000 +00:00:-30 +0000-30'],
  [0n, 86399, 'MST Z07:00:00', '+2359 +23:59:59'],
  [0n, -360001, 'MST -0700 -07:00:00', '-10000 -10000 -100:00:01'],
  [0n, 19800, '15:04 MST Z07 Z0700', '05:30 +0530 +05 +0530'],
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
