import type { Fields } from './fields.ts';
import { isLocation, joined, type MutedWeek, type WeekRange } from './mute-schedule.ts';

/** In the order of the week, in the words of Alertmanager: https://prometheus.io/docs/alerting/latest/configuration/#time_interval-0 */
export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
const DAY = `(${WEEKDAYS.join('|')})`;
/** A day, or the first and the last of several. */
export const WEEKDAY_RANGE = `^${DAY}(:${DAY})?$`;
/** `24:00` is the end of a day. */
export const TIME_OF_DAY = '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$';
export const WEEKDAY_WORDS = 'a day such as saturday, or a range such as monday:friday';
export const TIME_WORDS = 'a time such as 08:00, at most 24:00';

const [WEEKDAY_PATTERN, TIME_PATTERN] = [new RegExp(WEEKDAY_RANGE), new RegExp(TIME_OF_DAY)];
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WHOLE_DAY: WeekRange = [0, DAY_MS];

/** The weeks of `spec.muteSchedule`: one for each time zone. Adds a problem for each word that is not valid. */
export function readWeeks(spec: Fields): readonly MutedWeek[] {
  const ranges = new Map<string, WeekRange[]>();
  for (const interval of spec.objects('muteSchedule')) {
    const location = interval.optionalText('location') ?? 'UTC';
    if (!isLocation(location))
      interval.wrong(
        'location',
        'a time zone such as Europe/Paris (the case counts), or Etc/GMT-2 for UTC+2 (its sign is reversed)',
        location,
      );
    if (!interval.has('weekdays') && !interval.has('times'))
      interval.missing('weekdays', `${WEEKDAY_WORDS}; or set times`);
    const times = interval.has('times') ? interval.objects('times').flatMap(readTimes) : [WHOLE_DAY];
    const all = readDays(interval).flatMap((day) =>
      times.map(([start, end]): WeekRange => [day * DAY_MS + start, day * DAY_MS + end]),
    );
    ranges.set(location, [...(ranges.get(location) ?? []), ...all]);
  }
  return [...ranges].map(([location, all]) => ({ location, ranges: joined(all) }));
}

/** The numbers of the days. A range may go over the end of the week. */
function readDays(interval: Fields): readonly number[] {
  if (!interval.has('weekdays')) return WEEKDAYS.map((_, day) => day);
  return interval.texts('weekdays').flatMap((text, at) => {
    const [, first, , last = first] = WEEKDAY_PATTERN.exec(text) ?? [];
    const [from, to] = [first, last].map((word) => WEEKDAYS.findIndex((day) => day === word));
    if (from === undefined || to === undefined || from === -1) {
      interval.wrong(`weekdays[${at}]`, WEEKDAY_WORDS, text);
      return [];
    }
    return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, more) => (from + more) % 7);
  });
}

function readTimes(range: Fields): readonly WeekRange[] {
  const [start, end] = ['startTime', 'endTime'].map((key) => {
    const text = range.requiredText(key, TIME_WORDS);
    if (TIME_PATTERN.test(text)) return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
    if (text !== '') range.wrong(key, TIME_WORDS, text);
    return undefined;
  });
  if (start === undefined || end === undefined) return [];
  if (start >= end) {
    range.wrong(
      'endTime',
      'a time after startTime; for a night, write two: until 24:00, and from 00:00',
      range.text('endTime'),
    );
    return [];
  }
  return [[start * MINUTE_MS, end * MINUTE_MS]];
}
