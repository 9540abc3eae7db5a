import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fields } from './fields.ts';
import { scheduleState, type MuteSchedule } from './mute-schedule.ts';
import { readWeeks, WEEKDAYS } from './parse-mute-schedule.ts';

const HOUR = 3_600_000;

interface Interval {
  readonly weekdays?: readonly string[];
  readonly times?: readonly { readonly startTime: string; readonly endTime: string }[];
  readonly location?: string;
}

function read(muteSchedule: unknown): {
  readonly schedule: MuteSchedule;
  readonly problems: readonly string[];
} {
  const spec = Fields.of({ muteSchedule });
  const weeks = readWeeks(spec!);
  return { schedule: { weeks }, problems: spec!.problems };
}

const at = (text: string): number => Date.parse(text);
const stateIn = (intervals: readonly Interval[], time: string) => {
  const { isMuted, until } = scheduleState(read(intervals).schedule, at(time));
  return [isMuted, until === undefined ? 'always' : new Date(until).toISOString().slice(0, 16)];
};

const OFFICE = [{ startTime: '08:00', endTime: '18:00' }];
const NIGHT = [
  { startTime: '00:00', endTime: '06:00' },
  { startTime: '22:00', endTime: '24:00' },
];

describe('a schedule', () => {
  // 2026-03-29 01:00 UTC: Paris goes from +01:00 to +02:00. 2026-10-25 01:00 UTC: back. 2026-01-05 is a Monday.
  it.each<[string, readonly Interval[], string, readonly [boolean, string]]>([
    ['a weekend', [{ weekdays: ['saturday', 'sunday'] }], '2026-01-10T12:00:00Z', [true, '2026-01-12T00:00']],
    [
      'before it',
      [{ weekdays: ['saturday', 'sunday'] }],
      '2026-01-05T12:00:00Z',
      [false, '2026-01-10T00:00'],
    ],
    [
      'a range of days',
      [{ weekdays: ['monday:friday'] }],
      '2026-01-05T12:00:00Z',
      [true, '2026-01-10T00:00'],
    ],
    [
      'over the end of a week',
      [{ weekdays: ['friday:monday'] }],
      '2026-01-09T12:00:00Z',
      [true, '2026-01-13T00:00'],
    ],
    [
      'times in a zone',
      [{ times: OFFICE, location: 'Europe/Paris' }],
      '2026-07-06T12:00:00Z',
      [true, '2026-07-06T16:00'],
    ],
    ['the end is not in it', [{ times: OFFICE }], '2026-01-05T18:00:00Z', [false, '2026-01-06T08:00']],
    ['a night is one suspension', [{ times: NIGHT }], '2026-01-05T23:00:00Z', [true, '2026-01-06T06:00']],
    [
      'two that touch',
      [
        { weekdays: ['monday'], times: OFFICE },
        { weekdays: ['monday'], times: [{ startTime: '18:00', endTime: '20:00' }] },
      ],
      '2026-01-05T09:00:00Z',
      [true, '2026-01-05T20:00'],
    ],
    [
      'two zones that overlap',
      [
        { times: OFFICE, location: 'Europe/Paris' },
        { times: OFFICE, location: 'America/New_York' },
      ],
      '2026-01-05T09:00:00Z',
      [true, '2026-01-05T23:00'],
    ],
    ['always', [{ weekdays: ['sunday:saturday'] }], '2026-01-05T09:00:00Z', [true, 'always']],
    [
      'a range that begins in the hour that is left out',
      [{ times: [{ startTime: '02:30', endTime: '04:00' }], location: 'Europe/Paris' }],
      '2026-03-29T00:00:00Z',
      [false, '2026-03-29T01:00'],
    ],
    [
      'a range that lies in it comes on the next day',
      [{ times: [{ startTime: '02:00', endTime: '03:00' }], location: 'Europe/Paris' }],
      '2026-03-29T00:00:00Z',
      [false, '2026-03-30T00:00'],
    ],
    [
      'an hour that comes twice, the first time',
      [{ times: [{ startTime: '02:00', endTime: '03:00' }], location: 'Europe/Paris' }],
      '2026-10-25T00:30:00Z',
      [true, '2026-10-25T02:00'],
    ],
    [
      'a range that ends in it, between',
      [{ times: [{ startTime: '01:00', endTime: '02:30' }], location: 'Europe/Paris' }],
      '2026-10-25T00:40:00Z',
      [false, '2026-10-25T01:00'],
    ],
    [
      'a change of half an hour',
      [{ weekdays: ['sunday'], location: 'Australia/Lord_Howe' }],
      '2026-04-04T13:30:00Z',
      [true, '2026-04-05T13:30'],
    ],
  ])('%s', (_, intervals, time, expected) => {
    expect(stateIn(intervals, time)).toEqual(expected);
  });

  /** The definition: what the clocks of the zone show, by Intl. */
  function mutedByClocks(intervals: readonly Interval[], time: number): boolean {
    return intervals.some(({ weekdays = WEEKDAYS, times, location = 'UTC' }) => {
      const parts = new Intl.DateTimeFormat('en-US', {
        ...{ timeZone: location, hourCycle: 'h23', weekday: 'long', hour: '2-digit', minute: '2-digit' },
      }).formatToParts(time);
      const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
      const clock = `${of('hour')}:${of('minute')}`;
      const isIn = times?.some(({ startTime, endTime }) => startTime <= clock && clock < endTime) ?? true;
      return weekdays.includes(of('weekday').toLowerCase()) && isIn;
    });
  }

  const minute = fc.integer({ min: 0, max: 24 * 4 }).map((quarters) => {
    const [hour, rest] = [Math.floor(quarters / 4), (quarters % 4) * 15];
    return [hour, rest].map((part) => String(part).padStart(2, '0')).join(':');
  });
  const times = fc
    .tuple(minute, minute)
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => (a < b ? { startTime: a, endTime: b } : { startTime: b, endTime: a }));
  const interval: fc.Arbitrary<Interval> = fc.record(
    {
      weekdays: fc.uniqueArray(fc.constantFrom<string>(...WEEKDAYS), { minLength: 1, maxLength: 4 }),
      times: fc.array(times, { minLength: 1, maxLength: 3 }),
      // Zones whose rules are old: Intl's data and ours may be of different months.
      location: fc.constantFrom(
        ...['UTC', 'Europe/Paris', 'America/New_York', 'America/Sao_Paulo', 'Asia/Kathmandu'],
        ...['Australia/Lord_Howe', 'Pacific/Apia', 'Europe/Lisbon', 'America/Santiago', 'Europe/Dublin'],
      ),
    },
    { requiredKeys: ['times'] },
  );
  // Around the changes of clocks in the north and in the south, and anywhere.
  const moment = fc.oneof(
    fc
      .tuple(
        fc.constantFrom(
          ...['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'].map((day) =>
            at(`${day}T00:00Z`),
          ),
        ),
        fc.integer({ min: -24 * 60, max: 48 * 60 }),
      )
      .map(([day, minutes]) => day + minutes * 60_000),
    fc
      .integer({ min: at('2024-01-01T00:00Z') / 60_000, max: at('2035-01-01T00:00Z') / 60_000 })
      .map((m) => m * 60_000),
  );

  it('holds as the clocks of its zones show, until the first minute at which they show something else', () => {
    fc.assert(
      fc.property(fc.array(interval, { minLength: 1, maxLength: 3 }), moment, (intervals, now) => {
        const { schedule, problems } = read(intervals);
        expect(problems).toEqual([]);
        const { isMuted, until = now + 8 * 24 * HOUR } = scheduleState(schedule, now);
        expect(isMuted).toBe(mutedByClocks(intervals, now));
        expect(until).toBeGreaterThan(now);
        // Each change of clocks and of these intervals is at a quarter of an hour.
        for (let time = now; time < Math.min(until, now + 2 * 24 * HOUR); time += 15 * 60_000)
          expect([time, mutedByClocks(intervals, time)]).toEqual([time, isMuted]);
        expect(mutedByClocks(intervals, until - 60_000)).toBe(isMuted);
        if (until < now + 8 * 24 * HOUR) expect(mutedByClocks(intervals, until)).toBe(!isMuted);
      }),
      { seed: 20260329, numRuns: 150 },
    );
  });

  it('gives the same for a time whether it was asked for another one before', () => {
    fc.assert(
      fc.property(
        fc.array(interval, { minLength: 1, maxLength: 3 }),
        fc.array(moment, { maxLength: 6 }),
        (intervals, all) => {
          const { schedule } = read(intervals);
          for (const now of all) {
            const { isMuted, until } = scheduleState(read(intervals).schedule, now);
            expect(scheduleState(schedule, now)).toEqual({ isMuted, until });
          }
        },
      ),
      { seed: 1, numRuns: 100 },
    );
  });
});

describe('the words of a schedule', () => {
  it.each<[unknown, RegExp]>([
    ['nights', /^muteSchedule: expected a list, found the string "nights"$/],
    [[{}], /^muteSchedule\[0\]\.weekdays: is missing; set it to a day such as saturday, .*; or set times$/],
    [
      [{ weekdays: ['sat'] }],
      /^muteSchedule\[0\]\.weekdays\[0\]: expected a day such as saturday, or a range such as monday:friday, found the string "sat"$/,
    ],
    [[{ weekdays: [5] }], /^muteSchedule\[0\]\.weekdays\[0\]: expected a string, found the number 5$/],
    [
      [{ times: [{ startTime: '8:00', endTime: '18:00' }] }],
      /^muteSchedule\[0\]\.times\[0\]\.startTime: expected a time such as 08:00, at most 24:00, found/,
    ],
    [
      [{ times: [{ startTime: '08:00' }] }],
      /^muteSchedule\[0\]\.times\[0\]\.endTime: is missing; set it to a time such as/,
    ],
    [
      [{ times: [{ startTime: '22:00', endTime: '06:00' }] }],
      /^muteSchedule\[0\]\.times\[0\]\.endTime: expected a time after startTime; for a night, write two: /,
    ],
    [
      [{ times: [], weekdays: ['monday'], location: 'Europe/Pariss' }],
      /^muteSchedule\[0\]\.location: expected a time zone such as Europe\/Paris \(the case counts\), or Etc\/GMT-2 for UTC\+2 \(its sign is reversed\), found/,
    ],
    [[{ weekdays: ['monday'], location: 'Local' }], /^muteSchedule\[0\]\.location: expected a time zone/],
  ])('%j is one problem', (words, message) => {
    expect(read(words).problems).toEqual([expect.stringMatching(message)]);
  });

  it('any JSON is read without an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (words) => {
        const { schedule } = read(words);
        scheduleState(schedule, at('2026-01-05T00:00Z'));
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
