import { describe, expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { BudgetError, GoError } from '../errors.ts';
import { duration } from '../time/duration.ts';
import { fixedZone } from '../time/location.ts';
import { TIME, Time } from '../time/time.ts';
import { Func } from '../value/func.ts';
import { INT32, INT64, UINT, pointerTo } from '../value/type.ts';
import { Pointer, type Value, nilPointer, ofType } from '../value/value.ts';
import { budgetOf, contextOf } from '../testing/context.ts';
import { date } from './date.ts';

const NOW = 1774735509n * 1_000_000_000n;

function contextAt(zone = 'UTC'): Context {
  return { ...contextOf(), now: () => NOW, zone };
}

function call(name: string, args: Value[], context = contextAt()): Value {
  const func = date[name];
  if (!(func instanceof Func)) throw new Error(`no function ${name}`);
  return func.call(context, args);
}

const shown = (value: Value): string => (value instanceof Time ? value.toString() : typeof value);

const leapDay = Time.unix(1709164800);
const int64 = (n: bigint): Value => ofType(INT64, n);

test('has all names of sprig; aliases are the same function', () => {
  expect(Object.keys(date).sort()).toEqual([
    'ago',
    'date',
    'dateInZone',
    'dateModify',
    'date_in_zone',
    'date_modify',
    'duration',
    'durationRound',
    'htmlDate',
    'htmlDateInZone',
    'mustDateModify',
    'mustToDate',
    'must_date_modify',
    'now',
    'toDate',
    'unixEpoch',
  ]);
  expect(date.date_in_zone).toBe(date.dateInZone);
  expect(date.must_date_modify).toBe(date.mustDateModify);
});

describe('values that give a date', () => {
  const layout = '2006-01-02 15:04:05';

  test.each<[string, Value, string]>([
    ['a time', leapDay, '2024-02-29 00:00:00'],
    ['a pointer to a time', new Pointer(pointerTo(TIME), leapDay), '2024-02-29 00:00:00'],
    ['an int', -1n, '1969-12-31 23:59:59'],
    ['an int64', int64(86400n), '1970-01-02 00:00:00'],
    ['an int32', ofType(INT32, 60n), '1970-01-01 00:01:00'],
    ['a uint, which is now', ofType(UINT, 60n), '2026-03-28 22:05:09'],
    ['a float, which is now', 60, '2026-03-28 22:05:09'],
    ['a string, which is now', '2024-02-29', '2026-03-28 22:05:09'],
    ['nil, which is now', null, '2026-03-28 22:05:09'],
    ['a duration, which is now', duration(5n), '2026-03-28 22:05:09'],
  ])('%s', (_, value, expected) => {
    expect(call('date', [layout, value])).toBe(expected);
    expect(call('dateInZone', [layout, value, 'UTC'])).toBe(expected);
    expect(call('htmlDate', [value])).toBe(expected.slice(0, 10));
  });

  test('a nil pointer fails', () => {
    expect(() => call('date', [layout, nilPointer(TIME)])).toThrow(
      new GoError('runtime error: invalid memory address or nil pointer dereference'),
    );
  });
});

test('zones: local, by name, and UTC for unknown names', () => {
  const tokyo = contextAt('Asia/Tokyo');
  expect(call('date', ['15:04 MST', leapDay], tokyo)).toBe('09:00 JST');
  expect(call('dateInZone', ['15:04 MST', leapDay, 'Local'], tokyo)).toBe('09:00 JST');
  expect(call('dateInZone', ['15:04 MST', leapDay, ''], tokyo)).toBe('00:00 UTC');
  expect(call('dateInZone', ['15:04 MST', leapDay, 'Not/AZone'], tokyo)).toBe('00:00 UTC');
  expect(call('dateInZone', ['15:04 MST', leapDay, 'America/New_York'], tokyo)).toBe('19:00 EST');
  expect(call('htmlDateInZone', [leapDay, 'America/New_York'])).toBe('2024-02-28');
  expect(call('date', ['15:04 MST', leapDay.in(fixedZone('', 60))])).toBe('00:00 UTC');
});

test('changes of a date', () => {
  expect(shown(call('dateModify', ['-1h30m', leapDay]))).toBe('2024-02-28 22:30:00 +0000 UTC');
  expect(call('dateModify', ['1d', leapDay])).toBe(leapDay);
  expect(() => call('mustDateModify', ['1d', leapDay])).toThrow(
    new GoError('time: unknown unit "d" in duration "1d"'),
  );
});

test('dates from text', () => {
  expect(shown(call('toDate', ['2006-01-02', '2024-02-29'], contextAt('Asia/Tokyo')))).toBe(
    '2024-02-29 00:00:00 +0900 JST',
  );
  expect(shown(call('toDate', ['2006-01-02', 'bad']))).toBe('0001-01-01 00:00:00 +0000 UTC');
  expect(() => call('mustToDate', ['2006-01-02', '2023-02-29'])).toThrow(
    new GoError('parsing time "2023-02-29": day out of range'),
  );
  expect(call('unixEpoch', [leapDay])).toBe('1709164800');
});

test('now is local, and its monotonic clock begins at the first reading', () => {
  let reading = NOW;
  const context = { ...contextAt('Asia/Tokyo'), now: () => reading };
  expect(shown(call('now', [], context))).toBe('2026-03-29 07:05:09 +0900 JST m=+0.000000001');
  reading += 1_500_000_000n;
  expect(shown(call('now', [], context))).toBe('2026-03-29 07:05:10.5 +0900 JST m=+1.500000001');
});

test.each<[Value, string]>([
  [leapDay, '18214h5m9s'],
  [Time.unix(1774735508, 400_000_000), '1s'],
  [int64(1774735504n), '5s'],
  [1774735514n, '-5s'],
  [ofType(INT32, 5n), '0s'],
  ['x', '0s'],
])('%s ago', (value, expected) => {
  expect(call('ago', [value])).toBe(expected);
});

test.each<[Value, string]>([
  [int64(-90061n), '-25h1m1s'],
  // Out of range, strconv gives the nearest number, and its seconds wrap.
  ['9223372036854775808', '-1s'],
  [95n, '0s'],
])('the duration of %s seconds', (value, expected) => {
  expect(call('duration', [value])).toBe(expected);
});

test.each<[Value, string]>([
  ['2h10m5s', '2h'],
  ['24h', '24h'],
  ['25h', '1d'],
  ['-800h', '1mo'],
  ['10000h', '1y'],
  ['1.1s', '1s'],
  [int64(3700000000000n), '1h'],
  [int64(-(2n ** 63n)), '292y'],
])('%s rounded', (value, expected) => {
  expect(call('durationRound', [value])).toBe(expected);
});

test('long texts cost steps and memory', () => {
  const poor = { ...contextAt(), budget: budgetOf({ memory: 1000 }) };
  const long = '2006'.repeat(100);
  expect(() => call('date', [long, 0n], poor)).toThrow(BudgetError);
  expect(() => call('toDate', [long, ''], poor)).toThrow(BudgetError);
  expect(() => call('dateModify', [long, leapDay], poor)).toThrow(BudgetError);
  expect(() => call('durationRound', [long], poor)).toThrow(BudgetError);
});
