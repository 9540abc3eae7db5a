/** Formats times. */
import { type CivilDate, civilDate, weekday, yearDay } from './calendar.ts';
import { UTC } from './location.ts';
import { type OffsetStyle, type Part, readLayout } from './layout.ts';
import { DAY_NAMES, MONTH_NAMES } from './names.ts';
import { toBinary } from '../value/binary.ts';
import { quoteBytes } from './quote.ts';
import type { Time } from './time.ts';
import type { Wall } from './wall.ts';

/** Formats a time like the layout. The result is at most about five times as long as the layout. */
export function formatTime(time: Time, layout: string): string {
  const { parts, after } = readLayout(layout);
  const wall = time.wall();
  const date = civilDate(wall.days);
  let text = '';
  for (const part of parts) text += part.before + write(part, date, wall, time.nanosecond);
  return text + after;
}

const TWO: readonly string[] = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));

function two(n: number): string {
  return TWO[n] ?? pad(n, 2);
}

/** Pads to at least `width` digits, without the sign. */
function pad(n: number, width: number): string {
  const digits = String(Math.abs(n)).padStart(width, '0');
  return n < 0 ? `-${digits}` : digits;
}

function write(part: Part, date: CivilDate, wall: Wall, nanosecond: number): string {
  const { second } = wall;
  switch (part.element) {
    case '2006':
      return pad(date.year, 4);
    case '06':
      return two(Math.abs(date.year) % 100);
    case '01':
      return two(date.month);
    case '1':
      return String(date.month);
    case 'Jan':
      return monthName(date.month).slice(0, 3);
    case 'January':
      return monthName(date.month);
    case '02':
      return two(date.day);
    case '2':
      return String(date.day);
    case '_2':
      return String(date.day).padStart(2);
    case '002':
      return pad(yearDay(wall.days, date.year), 3);
    case '__2':
      return String(yearDay(wall.days, date.year)).padStart(3);
    case 'Mon':
      return dayName(weekday(wall.days)).slice(0, 3);
    case 'Monday':
      return dayName(weekday(wall.days));
    case '15':
      return two(Math.trunc(second / 3600));
    case '03':
      return two(hour12(second));
    case '3':
      return String(hour12(second));
    case '04':
      return two(Math.trunc(second / 60) % 60);
    case '4':
      return String(Math.trunc(second / 60) % 60);
    case '05':
      return two(second % 60);
    case '5':
      return String(second % 60);
    case 'PM':
      return second < 43_200 ? 'AM' : 'PM';
    case 'pm':
      return second < 43_200 ? 'am' : 'pm';
    case 'MST':
      return wall.zone.name || writeOffset(wall.zone.offset, BARE);
    case 'offset':
      return writeOffset(wall.zone.offset, part.style);
    case '.000':
      return part.text.charAt(0) + decimals(nanosecond, part.digits);
    case '.999': {
      const shown = decimals(nanosecond, part.digits).replace(/0+$/, '');
      return shown === '' ? '' : part.text.charAt(0) + shown;
    }
  }
}

export function monthName(month: number): string {
  return MONTH_NAMES[month - 1] ?? '';
}

export function dayName(day: number): string {
  return DAY_NAMES[day] ?? '';
}

function hour12(second: number): number {
  return Math.trunc(second / 3600) % 12 || 12;
}

function decimals(nanosecond: number, digits: number): string {
  return String(nanosecond).padStart(9, '0').slice(0, digits);
}

const BARE: OffsetStyle = { zulu: false, colon: false, down: 'minutes' };

function writeOffset(offset: number, { zulu, colon, down }: OffsetStyle): string {
  if (offset === 0 && zulu) return 'Z';
  const minutes = Math.trunc(offset / 60);
  // Hours and minutes have a minus sign only from one minute on. Smaller offsets show it before the seconds.
  const west = minutes < 0;
  const size = Math.abs(minutes);
  let text = (west ? '-' : '+') + two(Math.trunc(size / 60));
  if (down === 'hours') return text;
  const separator = colon ? ':' : '';
  text += separator + two(size % 60);
  return down === 'minutes' ? text : text + separator + pad((west ? -offset : offset) % 60, 2);
}

/** Prints a time, with its monotonic clock reading if it has one: `m=+12.000000003`. */
export function printTime(time: Time): string {
  const text = formatTime(time, '2006-01-02 15:04:05.999999999 -0700 MST');
  const reading = time.monotonic;
  if (reading === undefined) return text;
  const size = reading < 0n ? -reading : reading;
  const sign = reading < 0n ? '-' : '+';
  return `${text} m=${sign}${size / 1_000_000_000n}.${pad(Number(size % 1_000_000_000n), 9)}`;
}

/** As `%#v` prints it. */
export function goString(time: Time): string {
  const { days, second } = time.wall();
  const { year, month, day } = civilDate(days);
  const hour = Math.trunc(second / 3600);
  const minute = Math.trunc(second / 60) % 60;
  const { location } = time;
  const place = location.isLocal
    ? 'time.Local'
    : location === UTC
      ? 'time.UTC'
      : `time.Location(${quoteBytes(toBinary(location.name))})`;
  const clock = `${hour}, ${minute}, ${second % 60}, ${time.nanosecond}`;
  return `time.Date(${year}, time.${monthName(month)}, ${day}, ${clock}, ${place})`;
}
