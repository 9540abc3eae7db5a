import { describe, expect, test } from 'vitest';
import { BudgetError, GoError } from '../errors.ts';
import { pointerTo } from '../value/type.ts';
import { Slice, type Value, bare, nilPointer, ofType } from '../value/value.ts';
import { contextOf } from '../testing/context.ts';
import { bytes } from '../testing/values.ts';
import { duration } from './duration.ts';
import { Location, fixedZone } from './location.ts';
import { Time } from './time.ts';
import { DURATION, LOCATION, MONTH, TIME, WEEKDAY } from './types.ts';

function call(name: string, receiver: Value, ...args: Value[]): Value {
  const type = receiver instanceof Time ? TIME : undefined;
  const method = type?.methods.get(name) ?? DURATION.methods.get(name);
  if (method === undefined) throw new Error(`no method ${name}`);
  return method.call({ ...contextOf(), zone: 'Asia/Tokyo' }, [receiver, ...args]);
}

const shown = (value: Value): string => (value instanceof Time ? value.toString() : typeof value);

const textOf = (value: Value): string =>
  value instanceof Slice ? String.fromCharCode(...value.items.map((item) => Number(bare(item)))) : '';

const time = Time.unix(1774735509, 123_456_789);

// From Go's reflection.
const SIGNATURES = [
  'Add func(time.Time, time.Duration) time.Time',
  'AddDate func(time.Time, int, int, int) time.Time',
  'After func(time.Time, time.Time) bool',
  'AppendBinary func(time.Time, []uint8) ([]uint8, error)',
  'AppendFormat func(time.Time, []uint8, string) []uint8',
  'AppendText func(time.Time, []uint8) ([]uint8, error)',
  'Before func(time.Time, time.Time) bool',
  'Clock func(time.Time) (int, int, int)',
  'Compare func(time.Time, time.Time) int',
  'Date func(time.Time) (int, time.Month, int)',
  'Day func(time.Time) int',
  'Equal func(time.Time, time.Time) bool',
  'Format func(time.Time, string) string',
  'GoString func(time.Time) string',
  'GobEncode func(time.Time) ([]uint8, error)',
  'Hour func(time.Time) int',
  'ISOWeek func(time.Time) (int, int)',
  'In func(time.Time, *time.Location) time.Time',
  'IsDST func(time.Time) bool',
  'IsZero func(time.Time) bool',
  'Local func(time.Time) time.Time',
  'Location func(time.Time) *time.Location',
  'MarshalBinary func(time.Time) ([]uint8, error)',
  'MarshalJSON func(time.Time) ([]uint8, error)',
  'MarshalText func(time.Time) ([]uint8, error)',
  'Minute func(time.Time) int',
  'Month func(time.Time) time.Month',
  'Nanosecond func(time.Time) int',
  'Round func(time.Time, time.Duration) time.Time',
  'Second func(time.Time) int',
  'String func(time.Time) string',
  'Sub func(time.Time, time.Time) time.Duration',
  'Truncate func(time.Time, time.Duration) time.Time',
  'UTC func(time.Time) time.Time',
  'Unix func(time.Time) int64',
  'UnixMicro func(time.Time) int64',
  'UnixMilli func(time.Time) int64',
  'UnixNano func(time.Time) int64',
  'Weekday func(time.Time) time.Weekday',
  'Year func(time.Time) int',
  'YearDay func(time.Time) int',
  'Zone func(time.Time) (string, int)',
  'ZoneBounds func(time.Time) (time.Time, time.Time)',
  'Abs func(time.Duration) time.Duration',
  'Hours func(time.Duration) float64',
  'Microseconds func(time.Duration) int64',
  'Milliseconds func(time.Duration) int64',
  'Minutes func(time.Duration) float64',
  'Nanoseconds func(time.Duration) int64',
  'Round func(time.Duration, time.Duration) time.Duration',
  'Seconds func(time.Duration) float64',
  'String func(time.Duration) string',
  'Truncate func(time.Duration, time.Duration) time.Duration',
  'String func(time.Month) string',
  'String func(time.Weekday) string',
  'String func(*time.Location) string',
];

test('the methods and their signatures are those of Go', () => {
  const tables = [TIME.methods, DURATION.methods, MONTH.methods, WEEKDAY.methods, LOCATION.pointerMethods];
  const listed = tables.flatMap((table) => Array.from(table, ([name, { type }]) => `${name} ${type.name}`));
  expect(listed.sort()).toEqual([...SIGNATURES].sort());
});

describe('of a time, as in Go', () => {
  test('comparisons', () => {
    const later = time.add(1n);
    const answers = (other: Time) =>
      ['Before', 'Equal', 'After', 'Compare'].map((name) => call(name, time, other));
    expect(answers(later)).toEqual([true, false, false, -1n]);
    expect(answers(time)).toEqual([false, true, false, 0n]);
    expect(call('Sub', later, time)).toEqual(duration(1n));
  });

  test('texts and bytes', () => {
    expect(textOf(call('MarshalJSON', time))).toBe('"2026-03-28T22:05:09.123456789Z"');
    expect(textOf(call('MarshalText', time))).toBe('2026-03-28T22:05:09.123456789Z');
    expect(textOf(call('AppendText', time, bytes('a')))).toBe('a2026-03-28T22:05:09.123456789Z');
    expect(textOf(call('AppendFormat', time, bytes('a'), '2006'))).toBe('a2026');
    expect(textOf(call('AppendBinary', time, bytes('a')))).toBe(`a${textOf(call('MarshalBinary', time))}`);
    expect(call('GobEncode', time)).toEqual(call('MarshalBinary', time));
    const far = call('AddDate', time, 8000n, 0n, 0n);
    expect(() => call('MarshalJSON', far)).toThrow(
      new GoError('Time.MarshalJSON: year outside of range [0,9999]'),
    );
  });

  test('locations', () => {
    expect(shown(call('Local', time))).toBe('2026-03-29 07:05:09.123456789 +0900 JST');
    expect(shown(call('UTC', call('Local', time)))).toBe(String(time));
    const place = fixedZone('X', 60);
    expect(shown(call('In', time, place.pointer))).toBe('2026-03-28 22:06:09.123456789 +0001 X');
    expect(call('Location', time.in(place))).toBe(place.pointer);
    expect(() => call('In', time, nilPointer(LOCATION))).toThrow(
      new GoError('time: missing Location in call to Time.In'),
    );
  });

  test('a long layout costs steps and memory', () => {
    const format = TIME.methods.get('Format');
    const poor = contextOf({ memory: 100 });
    expect(format?.call(poor, [time, '2006'])).toBe('2026');
    expect(() => format?.call(poor, [time, '2006'.repeat(100)])).toThrow(BudgetError);
  });
});

test.each([
  ['Milliseconds', 5430123n],
  ['Microseconds', 5430123456n],
  ['Nanoseconds', 5430123456789n],
  ['Abs', 5430123456789n],
])('%s of a duration, as in Go', (name, expected) => {
  expect(bare(call(name, duration(5430123456789n)))).toBe(expected);
});

test('the smallest duration has no positive counterpart', () => {
  expect(bare(call('Abs', duration(-(2n ** 63n))))).toBe(2n ** 63n - 1n);
  expect(bare(call('Abs', duration(-5n)))).toBe(5n);
});

test('months and days have names; out of range, numbers', () => {
  const name = (type: typeof MONTH, n: bigint) =>
    type.methods.get('String')?.call(contextOf(), [ofType(type, n)]);
  expect([1n, 12n, 0n, 13n, -1n].map((n) => name(MONTH, n))).toEqual([
    'January',
    'December',
    '%!Month(0)',
    '%!Month(13)',
    '%!Month(18446744073709551615)',
  ]);
  expect([0n, 6n, 7n].map((n) => name(WEEKDAY, n))).toEqual(['Sunday', 'Saturday', '%!Weekday(7)']);
});

test('a nil location is UTC', () => {
  const string = LOCATION.pointerMethods.get('String');
  expect(string?.call(contextOf(), [nilPointer(LOCATION)])).toBe('UTC');
  const { pointer } = fixedZone('X', 60);
  expect(pointer.type).toBe(pointerTo(LOCATION));
  expect(pointer.target).toBeInstanceOf(Location);
  expect(string?.call(contextOf(), [pointer])).toBe('X');
});
