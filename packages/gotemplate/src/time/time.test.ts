import { expect, test } from 'vitest';
import { GoError } from '../errors.ts';
import { bare, zero } from '../value/value.ts';
import { encodeTime } from './binary.ts';
import { UTC, fixedZone, loadLocation, localLocation } from './location.ts';
import { writeRFC3339 } from './rfc3339.ts';
import { TIME, Time } from './time.ts';

// The expected values of the tables come from Go.

test.each([
  [9223371974719179007n, 0, 9223372036854775807n, '292277024627-12-06 15:30:07.854775807 +0000 UTC'],
  [-9223372036854775808n, 0, -9223372036854775808n, '292277026304-08-26 15:42:51.145224192 +0000 UTC'],
  [9223371974719179012n, 0, -9223372036854775808n, '292277024627-12-06 15:30:09.145224192 +0000 UTC'],
])('%d s %d ns plus %d ns is the same as in Go', (seconds, nanoseconds, more, expected) => {
  expect(String(Time.unix(seconds, nanoseconds).add(more))).toBe(expected);
});

test.each([
  [9223372036854775807n, 0, -9223372036854775808n, -1000000000n, -1],
  [0n, 0, 9223372036854775807n, 9223372036854775807n, 1],
  [-9223372037n, 145224191, 0n, -9223372036854775808n, -1],
])('%d s %d ns minus %d s is the same as in Go', (seconds, nanoseconds, from, difference, order) => {
  const time = Time.unix(seconds, nanoseconds);
  expect(time.since(Time.unix(from))).toBe(difference);
  expect(Math.sign(time.compare(Time.unix(from)))).toBe(order);
});

test.each([
  [1774735509, 500000000, 1000000000n, '2026-03-28 22:05:10 +0000 UTC', '2026-03-28 22:05:09 +0000 UTC'],
  [1774735509, 123456789, 604800000000000n, '2026-03-30 00:00:00 +0000 UTC', '2026-03-23 00:00:00 +0000 UTC'],
  [-99999999999, 7, 3600000000000n, '-1199-02-15 14:00:00 +0000 UTC', '-1199-02-15 14:00:00 +0000 UTC'],
  [
    1774735509,
    123456789,
    333n,
    '2026-03-28 22:05:09.123456804 +0000 UTC',
    '2026-03-28 22:05:09.123456471 +0000 UTC',
  ],
  [1774735509, 5, 0n, '2026-03-28 22:05:09.000000005 +0000 UTC', '2026-03-28 22:05:09.000000005 +0000 UTC'],
  [
    1774735509,
    5,
    9223372036854775807n,
    '2046-12-09 22:30:57.983430649 +0000 UTC',
    '1754-08-30 22:43:41.128654842 +0000 UTC',
  ],
])('%d s %d ns in multiples of %d', (seconds, nanoseconds, multiple, rounded, truncated) => {
  const time = Time.unix(seconds, nanoseconds);
  expect(String(time.round(multiple))).toBe(rounded);
  expect(String(time.truncate(multiple))).toBe(truncated);
});

test.each([
  [1709164800, 'UTC', -1n, -25n, 400n, '2022-03-05 00:00:00 +0000 UTC'],
  [0, 'UTC', 9223372036854775807n, 0n, 0n, '1969-01-01 13:26:24 +0000 UTC'],
  [0, 'UTC', 0n, 9223372036854775807n, 0n, '1969-11-30 21:07:12 +0000 UTC'],
  [0, 'UTC', 0n, 0n, 9223372036854775807n, '1969-12-31 00:00:00 +0000 UTC'],
  [
    0,
    'Asia/Kolkata',
    -9223372036854775808n,
    -9223372036854775808n,
    -9223372036854775808n,
    '1969-12-29 21:49:12 +0530 IST',
  ],
])('%d in %s and %d years, %d months, %d days', (seconds, zone, years, months, days, expected) => {
  expect(String(Time.unix(seconds, 0, loadLocation(zone)).addDate(years, months, days))).toBe(expected);
});

test('comes from a Date, or from seconds as number or bigint', () => {
  const time = Time.fromDate(new Date('2026-03-28T22:05:09.123Z'));
  expect(String(time)).toBe('2026-03-28 22:05:09.123 +0000 UTC');
  expect(time).toEqual(Time.unix(1774735509n, 123_000_000));
  expect(Time.fromDate(new Date(-1))).toEqual(Time.unix(-1, 999_000_000));
  expect(Time.unix(0, -1)).toEqual(Time.unix(-1, 999_999_999));
  expect(() => Time.fromDate(new Date(NaN))).toThrow(RangeError);
});

test.each([
  ['2026-03-28T22:05:09.1234567891Z', '2026-03-28 22:05:09.123456789 +0000 UTC'],
  ['2026-03-29T00:30:00.05+07:00', '2026-03-29 00:30:00.05 +0700 +0700'],
  ['2026-03-29T00:30:00-05:30', '2026-03-29 00:30:00 -0530 -0530'],
  ['2026-03-29T00:30:00+00:00', '2026-03-29 00:30:00 +0000 UTC'],
])('parses %s as RFC 3339', (text, expected) => {
  expect(String(Time.parseRFC3339(text))).toBe(expected);
});

test.each([
  '2026-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T00:00:60Z',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+00:60',
  '2026-01-01 00:00:00Z',
  '2026-01-01T00:00:00,5Z',
  '2026-1-01T00:00:00Z\n',
])('refuses %j', (text) => {
  expect(Time.parseRFC3339(text)).toBeUndefined();
});

test('writes RFC 3339, and refuses times that the format cannot represent', () => {
  expect(writeRFC3339(Time.unix(0, 5, fixedZone('', -19_800)), 'X')).toBe(
    '1969-12-31T18:30:00.000000005-05:30',
  );
  const year = new GoError('X: year outside of range [0,9999]');
  expect(() => writeRFC3339(Time.unix(253_402_300_800), 'X')).toThrow(year);
  expect(() => writeRFC3339(Time.unix(-62_167_219_201), 'X')).toThrow(year);
  const hour = new GoError('X: timezone hour outside of range [0,23]');
  expect(() => writeRFC3339(Time.unix(0, 0, fixedZone('', -86_400)), 'X')).toThrow(hour);
});

test('add keeps the monotonic clock reading; other operations drop it', () => {
  const time = Time.unix(0).withMonotonic(5n);
  expect(time.add(2n).monotonic).toBe(7n);
  expect(time.in(UTC).monotonic).toBeUndefined();
  expect(time.round(0n).monotonic).toBeUndefined();
  expect(time.truncate(1n).monotonic).toBeUndefined();
  expect(time.addDate(0n, 0n, 0n).monotonic).toBeUndefined();
  expect(time.add(-(2n ** 63n)).monotonic).toBeUndefined();
  expect(Time.unix(-2_682_288_001).withMonotonic(5n).monotonic).toBeUndefined();
  expect(Time.unix(-2_682_288_000).withMonotonic(5n).monotonic).toBe(5n);
  expect(Time.unix(5_907_646_592).withMonotonic(5n).monotonic).toBeUndefined();
});

test('the zero value is the first moment of year 1', () => {
  const time = zero(TIME) as Time;
  expect(time.isZero).toBe(true);
  expect(String(time)).toBe('0001-01-01 00:00:00 +0000 UTC');
  expect(time.add(1n).isZero).toBe(false);
});

test('has the fields of Go’s struct', () => {
  const values = (time: Time) => time.fields.slice(0, 2).map(bare);
  expect(values(Time.unix(5, 6))).toEqual([6n, 62_135_596_805n]);
  expect(values(Time.unix(5, 6).withMonotonic(9n))).toEqual([(1n << 63n) | (2_682_288_005n << 30n) | 6n, 9n]);
  expect(Time.unix(0).fields[2]).toMatchObject({ target: undefined });
  const local = localLocation('UTC');
  expect(Time.unix(0, 0, local).fields[2]).toBe(local.pointer);
});

test.each([
  [Time.unix(1774735509, 123_456_789), '010000000ee15a4795075bcd15ffff'],
  [Time.unix(0, 0, fixedZone('', 25_200)), '010000000e7791f7000000000001a4'],
  [Time.unix(0, 0, fixedZone('', -3_661)), '020000000e7791f70000000000ffc3ff'],
])('%s has the bytes of Go', (time, hex) => {
  expect(Buffer.from(encodeTime(time)).toString('hex')).toBe(hex);
});

test('an offset of one minute west cannot be encoded', () => {
  expect(() => encodeTime(Time.unix(0, 0, fixedZone('', -60)))).toThrow(
    new GoError('Time.MarshalBinary: unexpected zone offset'),
  );
});
