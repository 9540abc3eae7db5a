/** Times in RFC 3339. */
import { GoError } from '../errors.ts';
import { civilDate, daysIn, daysOf } from './calendar.ts';
import { formatTime } from './format.ts';
import type { Time } from './time.ts';

interface Read {
  /** Local days since 1970. */
  readonly days: number;
  /** The second of the local day. */
  readonly second: number;
  readonly nanosecond: number;
  /** Seconds east of UTC. */
  readonly offset: number;
}

const PATTERN = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Parses RFC 3339 strictly; undefined if the text is invalid. Nine digits of a fraction count. */
export function readRFC3339(text: string): Read | undefined {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [fraction = '', sign, zoneHour = '0', zoneMinute = '0'] = match.slice(7);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(month, year)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || +zoneHour > 23 || +zoneMinute > 59) return undefined;
  const offset = +zoneHour * 3600 + +zoneMinute * 60;
  return {
    days: daysOf(year, month, day),
    second: hour * 3600 + minute * 60 + second,
    nanosecond: +fraction.slice(0, 9).padEnd(9, '0'),
    offset: sign === '-' ? 0 - offset : offset,
  };
}

/** Formats a time, without trailing zeros. Throws a GoError, which names the caller, if the format cannot represent it. */
export function writeRFC3339(time: Time, caller: string): string {
  const { days, zone } = time.wall();
  const { year } = civilDate(days);
  if (year < 0 || year > 9999) throw new GoError(`${caller}: year outside of range [0,9999]`);
  if (Math.abs(zone.offset) >= 86_400) throw new GoError(`${caller}: timezone hour outside of range [0,23]`);
  return formatTime(time, '2006-01-02T15:04:05.999999999Z07:00');
}
