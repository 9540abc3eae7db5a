import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GoError } from '../errors.ts';
import { formatTime } from './format.ts';
import { UTC, loadLocation } from './location.ts';
import { parseTime } from './parse.ts';
import { Time } from './time.ts';

const STJOHNS = loadLocation('America/St_Johns') ?? UTC;

test.each([
  ['15:04:05', '10:11:12,123456789123', '0000-01-01 10:11:12.123456789 -0330 LMT', 'America/St_Johns'],
  ['15:04:05.999', '10:11:12', '0000-01-01 10:11:12 -0330 LMT', 'America/St_Johns'],
  ['Jan 2', 'jAn 5', '0000-01-05 00:00:00 -0330 LMT', 'America/St_Johns'],
  ['_2', ' 7', '0000-01-07 00:00:00 -0330 LMT', 'America/St_Johns'],
  ['2006 002', '2024 366', '2024-12-31 00:00:00 -0330 NST', 'America/St_Johns'],
  ['2006 __2', '2024  60', '2024-02-29 00:00:00 -0330 NST', 'America/St_Johns'],
  ['06', '68', '2068-01-01 00:00:00 -0330 NST', 'America/St_Johns'],
  ['06', '69', '1969-01-01 00:00:00 -0330 NST', 'America/St_Johns'],
  ['06', '-5', '1995-01-01 00:00:00 -0330 NST', 'America/St_Johns'],
  ['MST', 'UTC', '0000-01-01 00:00:00 +0000 UTC', 'UTC'],
  ['MST', 'GMT-8', '-0001-12-31 16:00:00 -0800 GMT-8', 'GMT-8'],
  ['MST', '+07', '0000-01-01 00:00:00 +0000 +07', '+07'],
  ['MST', 'ChST', '0000-01-01 00:00:00 +0000 ChST', 'ChST'],
  ['MST', 'WITA', '0000-01-01 00:00:00 +0000 WITA', 'WITA'],
  ['2006-01-02 MST', '2024-07-01 NST', '2024-07-01 01:00:52 -0230 NDT', 'America/St_Johns'],
  ['2006-01-02 MST', '2024-01-01 NST', '2024-01-01 00:00:00 -0330 NST', 'America/St_Johns'],
  ['MST', 'ABCDT', '0000-01-01 00:00:00 +0000 ABCDT', 'ABCDT'],
  ['-07:00:00', '+24:60:60', '0000-01-01 00:00:00 +2501 +2501', ''],
  ['Z07', '-03', '0000-01-01 00:00:00 -0300 -0300', ''],
  ['a  b 2006', 'a b 2024', '2024-01-01 00:00:00 -0330 NST', 'America/St_Johns'],
  ['2006 ', '2024', '2024-01-01 00:00:00 -0330 NST', 'America/St_Johns'],
  ['2006-01-02 -0700 MST', '2024-07-01 -0230 XYZ', '2024-07-01 00:00:00 -0230 XYZ', 'XYZ'],
  ['Z07:00', '+01:00', '0000-01-01 00:00:00 +0100 +0100', ''],
  ['__2', '  6', '0000-01-06 00:00:00 -0330 LMT', 'America/St_Johns'],
  ['-070000', '+010203', '0000-01-01 00:00:00 +0102 +0102', ''],
  ['-07:00:00', '-00:00:01', '0000-01-01 00:00:00 -0330 LMT', 'America/St_Johns'],
])('%j parses %j as Go does', (layout, text, expected, location) => {
  const time = parseTime(layout, text, STJOHNS);
  expect(String(time)).toBe(expected);
  expect(time.location.name).toBe(location);
});

test.each([
  ['2006-01-02', '2024-1-01', 'parsing time "2024-1-01" as "2006-01-02": cannot parse "1-01" as "01"'],
  ['2006-01-02', '24-01-01', 'parsing time "24-01-01" as "2006-01-02": cannot parse "24-01-01" as "2006"'],
  ['2006', '2+24', 'parsing time "2+24" as "2006": cannot parse "2+24" as "2006"'],
  ['15:04', '24:00', 'parsing time "24:00": hour out of range'],
  ['MST', 'GMT+24', 'parsing time "GMT+24": extra text: "+24"'],
  ['MST', '+0700', 'parsing time "+0700" as "MST": cannot parse "+0700" as "MST"'],
  ['Z07:00', '+24:61', 'parsing time "+24:61": time zone offset minute out of range'],
  ['15:04', '3:60', 'parsing time "3:60": minute out of range'],
  ['03:04', '3:04', 'parsing time "3:04" as "03:04": cannot parse "3:04" as "03"'],
  ['04:05', '00:60', 'parsing time "00:60": second out of range'],
  [
    '15:04:05.000',
    '10:11:12.12',
    'parsing time "10:11:12.12" as "15:04:05.000": cannot parse ".12" as ".000"',
  ],
  ['05.000', '12.-12', 'parsing time "12.-12": fractional second out of range'],
  ['_2', '   7', 'parsing time "   7" as "_2": cannot parse "   7" as "_2"'],
  ['2006 002', '2023 366', 'parsing time "2023 366": day-of-year out of range'],
  ['2006 002', '2024 60', 'parsing time "2024 60" as "2006 002": cannot parse "60" as "002"'],
  ['2006 002 01', '2024 060 03', 'parsing time "2024 060 03": day-of-year does not match month'],
  ['2006 002 2', '2024 060 1', 'parsing time "2024 060 1": day-of-year does not match day'],
  ['2006 002', '2024 000', 'parsing time "2024 000": day-of-year out of range'],
  ['__2', '   6', 'parsing time "   6" as "__2": cannot parse "   6" as "__2"'],
  ['MST', 'ABCDE', 'parsing time "ABCDE" as "MST": cannot parse "ABCDE" as "MST"'],
  ['MST', 'AB', 'parsing time "AB" as "MST": cannot parse "AB" as "MST"'],
  ['MST', 'ABCD', 'parsing time "ABCD" as "MST": cannot parse "ABCD" as "MST"'],
  ['Z07:00', '+25:00', 'parsing time "+25:00": time zone offset hour out of range'],
  ['Z07:00', 'x25:00', 'parsing time "x25:00": time zone offset hour out of range'],
  ['Z07:00', '+01-00', 'parsing time "+01-00" as "Z07:00": cannot parse "+01-00" as "Z07:00"'],
  ['-07:00:00', '+01:02:61', 'parsing time "+01:02:61": time zone offset second out of range'],
  [
    'é 2006',
    'è 2024',
    'parsing time "\\xc3\\xa8 2024" as "\\xc3\\xa9 2006": cannot parse "\\xa8 2024" as "\\xc3\\xa9 "',
  ],
])('%j refuses %j with the text of Go', (layout, text, message) => {
  expect(() => parseTime(layout, text, STJOHNS)).toThrow(new GoError(message));
});

test('a zone of the location gives the location, and Z is UTC', () => {
  expect(parseTime('2006-01-02 -0700', '2024-07-01 -0230', STJOHNS).location).toBe(STJOHNS);
  expect(parseTime('2006-01-02Z07', '2024-07-01Z', STJOHNS).location).toBe(UTC);
});

test('nine digits of a fraction count', () => {
  expect(parseTime('05', '07.1234567899', UTC).nanosecond).toBe(123_456_789);
});

test('parses its own output', () => {
  const seconds = fc.integer({ min: -62_167_219_200, max: 253_402_300_799 });
  fc.assert(
    fc.property(seconds, fc.integer({ min: 0, max: 999_999_999 }), (second, nanosecond) => {
      const time = Time.unix(second, nanosecond);
      for (const layout of [
        '2006-01-02T15:04:05.999999999Z07:00',
        'Monday, 2 January 2006 3:04:05.000000000 PM',
      ])
        expect(parseTime(layout, formatTime(time, layout), UTC)).toEqual(time);
    }),
    { seed: 20240229 },
  );
});

test('each text is parsed or refused with a GoError', () => {
  const pieces = fc.constantFrom(
    '2006',
    'Jan',
    '02',
    '15',
    '05',
    '.000',
    'MST',
    '-0700',
    ' ',
    'é',
    '\udc80',
    'x',
    '7',
  );
  const text = fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (layout, value) => {
      try {
        expect(parseTime(layout, value, STJOHNS)).toBeInstanceOf(Time);
      } catch (error) {
        expect(error).toBeInstanceOf(GoError);
      }
    }),
    { seed: 20240301 },
  );
});
