/** Reads the elements of a time. */
import type { OffsetStyle, Part } from './layout.ts';
import { DAY_NAMES, MONTH_NAMES } from './names.ts';
import { BAD, type Fault, type Reader } from './reader.ts';
import { readOffset, zoneNameLength } from './zone-text.ts';

/** The elements read so far. */
export interface Fields {
  year: number;
  month?: number;
  day?: number;
  yearDay?: number;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  am: boolean;
  pm: boolean;
  /** Whether `Z` or `UTC` was read. */
  utc: boolean;
  /** Seconds east of UTC. */
  offset?: number;
  /** Empty if none was read. */
  zoneName: string;
}

export const noFields = (): Fields => ({
  year: 0,
  hour: 0,
  minute: 0,
  second: 0,
  nanosecond: 0,
  am: false,
  pm: false,
  utc: false,
  zoneName: '',
});

/** Reads one element into the fields. `next` is the element after it. */
export function readElement(reader: Reader, part: Part, next: Part | undefined, fields: Fields): Fault {
  switch (part.element) {
    case '2006':
      return readYear(reader, fields);
    case '06':
      return readShortYear(reader, fields);
    case 'Jan':
      return readMonthName(reader, fields, SHORT_MONTHS);
    case 'January':
      return readMonthName(reader, fields, MONTH_NAMES);
    case '1':
    case '01': {
      const month = reader.number(part.element === '01');
      if (month === undefined) return BAD;
      fields.month = month;
      return month < 1 || month > 12 ? 'month' : undefined;
    }
    case 'Mon':
      return readName(reader, SHORT_DAYS) === undefined ? BAD : undefined;
    case 'Monday':
      return readName(reader, DAY_NAMES) === undefined ? BAD : undefined;
    case '2':
    case '02':
    case '_2':
      if (part.element === '_2' && reader.peek() === ' ') reader.skip(1);
      fields.day = reader.number(part.element === '02');
      return fields.day === undefined ? BAD : undefined;
    case '002':
    case '__2':
      return readYearDay(reader, fields, part.element === '002');
    case '15':
      return readHour(reader, fields, false, 23);
    case '3':
      return readHour(reader, fields, false, 12);
    case '03':
      return readHour(reader, fields, true, 12);
    case '4':
    case '04': {
      const minute = reader.number(part.element === '04');
      if (minute === undefined) return BAD;
      fields.minute = minute;
      return minute > 59 ? 'minute' : undefined;
    }
    case '5':
    case '05':
      return readSecond(reader, fields, part.element === '05', next);
    case 'PM':
      return readHalf(reader, fields, 'AM', 'PM');
    case 'pm':
      return readHalf(reader, fields, 'am', 'pm');
    case 'offset':
      if (part.style.zulu && reader.peek() === 'Z') {
        reader.skip(1);
        fields.utc = true;
        return undefined;
      }
      return readZoneOffset(reader, fields, part.style);
    case 'MST':
      return readZoneName(reader, fields);
    case '.000':
      return reader.length < part.digits + 1 ? BAD : readFraction(reader, fields, part.digits);
    case '.999':
      // It is optional, and may be longer than in the layout.
      return startsFraction(reader) ? readFraction(reader, fields, reader.digits(1)) : undefined;
  }
}

const short = (name: string): string => name.slice(0, 3);
const SHORT_MONTHS = MONTH_NAMES.map(short);
const SHORT_DAYS = DAY_NAMES.map(short);

/** Parses digits with an optional sign; undefined for other text. */
function signed(text: string): number | undefined {
  return /^[+-]?\d*$/.test(text) ? Number(text.replace(/^[+-]$/, '0')) : undefined;
}

function readYear(reader: Reader, fields: Fields): Fault {
  if (reader.length < 4 || !reader.isDigit()) return BAD;
  const year = signed(reader.take(4));
  if (year === undefined) return BAD;
  fields.year = year;
  return undefined;
}

function readShortYear(reader: Reader, fields: Fields): Fault {
  if (reader.length < 2) return BAD;
  const year = signed(reader.take(2));
  if (year === undefined) return BAD;
  fields.year = year + (year >= 69 ? 1900 : 2000);
  return undefined;
}

/** Reads one of the names, ignoring case. Returns its index. */
function readName(reader: Reader, names: readonly string[]): number | undefined {
  const at = names.findIndex((name) => reader.startsLike(name));
  if (at < 0) return undefined;
  reader.skip(names[at]?.length ?? 0);
  return at;
}

function readMonthName(reader: Reader, fields: Fields, names: readonly string[]): Fault {
  const at = readName(reader, names);
  if (at === undefined) return BAD;
  fields.month = at + 1;
  return undefined;
}

function readYearDay(reader: Reader, fields: Fields, fixed: boolean): Fault {
  for (let i = 0; i < 2 && !fixed && reader.peek() === ' '; i++) reader.skip(1);
  const digits = Math.min(reader.digits(), 3);
  if (digits === 0 || (fixed && digits < 3)) return BAD;
  fields.yearDay = Number(reader.take(digits));
  return undefined;
}

function readHour(reader: Reader, fields: Fields, fixed: boolean, highest: number): Fault {
  const hour = reader.number(fixed);
  if (hour === undefined) return BAD;
  fields.hour = hour;
  return hour > highest ? 'hour' : undefined;
}

function readSecond(reader: Reader, fields: Fields, fixed: boolean, next: Part | undefined): Fault {
  const second = reader.number(fixed);
  if (second === undefined) return BAD;
  fields.second = second;
  if (second > 59) return 'second';
  // A fraction may follow, even if the layout has none.
  const follows = next?.element === '.000' || next?.element === '.999';
  return startsFraction(reader) && !follows ? readFraction(reader, fields, reader.digits(1)) : undefined;
}

function startsFraction(reader: Reader): boolean {
  return (reader.peek() === '.' || reader.peek() === ',') && reader.isDigit(1);
}

/** Reads a point or comma and `places` digits. Only nine digits count. */
function readFraction(reader: Reader, fields: Fields, places: number): Fault {
  const text = reader.take(places + 1);
  if (!text.startsWith('.') && !text.startsWith(',')) return BAD;
  const counted = text.slice(1, 10);
  const fraction = signed(counted);
  if (fraction === undefined) return BAD;
  if (fraction < 0) return 'fractional second';
  fields.nanosecond = fraction * 10 ** (9 - counted.length);
  return undefined;
}

function readHalf(reader: Reader, fields: Fields, am: string, pm: string): Fault {
  if (reader.length < 2) return BAD;
  const half = reader.take(2);
  if (half !== am && half !== pm) return BAD;
  if (half === pm) fields.pm = true;
  else fields.am = true;
  return undefined;
}

function readZoneOffset(reader: Reader, fields: Fields, style: OffsetStyle): Fault {
  const offset = readOffset(reader, style);
  if (typeof offset !== 'number') return offset;
  fields.offset = offset;
  return undefined;
}

function readZoneName(reader: Reader, fields: Fields): Fault {
  if (reader.startsWith('UTC')) {
    reader.skip(3);
    fields.utc = true;
    return undefined;
  }
  const length = zoneNameLength(reader.rest);
  if (length === 0) return BAD;
  fields.zoneName = reader.take(length);
  return undefined;
}
