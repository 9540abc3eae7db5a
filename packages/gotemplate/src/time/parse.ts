/** Parses times: time.ParseInLocation. */
import { GoError } from '../errors.ts';
import { daysIn, daysOf, isLeap } from './calendar.ts';
import { type Fields, noFields, readElement } from './fields.ts';
import { readLayout } from './layout.ts';
import { type Location, fixedZone } from './location.ts';
import { toBinary } from '../value/binary.ts';
import { quoteBytes } from './quote.ts';
import { BAD, Reader } from './reader.ts';
import { Time } from './time.ts';

/** Parses a time by a layout. Without a zone in the text, it is in `location`. Throws a GoError with Go's text. */
export function parseTime(layout: string, text: string, location: Location): Time {
  // Errors quote parts of the text by bytes.
  const shape = toBinary(layout);
  const value = toBinary(text);
  const reader = new Reader(value);
  const wrong = (what: string): GoError => new GoError(`parsing time ${quoteBytes(value)}${what}`);
  const unlike = (rest: string, wanted: string): GoError =>
    wrong(` as ${quoteBytes(shape)}: cannot parse ${quoteBytes(rest)} as ${quoteBytes(wanted)}`);

  const { parts, after } = readLayout(shape);
  const fields = noFields();
  for (const [i, part] of parts.entries()) {
    if (!reader.match(part.before)) throw unlike(reader.rest, part.before);
    const { rest } = reader;
    const fault = readElement(reader, part, parts[i + 1], fields);
    if (fault === BAD) throw unlike(rest, part.text);
    if (fault !== undefined) throw wrong(`: ${fault} out of range`);
  }
  if (!reader.match(after)) throw unlike(reader.rest, after);
  if (reader.length > 0) throw wrong(`: extra text: ${quoteBytes(reader.rest)}`);
  const day = settleDay(fields);
  if (typeof day === 'string') throw wrong(`: ${day}`);
  return placed(fields, day, location);
}

/** The day since 1970, or an error text. */
function settleDay({ year, month, day, yearDay }: Fields): number | string {
  if (yearDay === undefined) {
    if (day !== undefined && (day < 1 || day > daysIn(month ?? 1, year))) return 'day out of range';
    return daysOf(year, month ?? 1, day ?? 1);
  }
  if (yearDay < 1 || yearDay > (isLeap(year) ? 366 : 365)) return 'day-of-year out of range';
  let found = 1;
  let rest = yearDay;
  while (rest > daysIn(found, year)) rest -= daysIn(found++, year);
  if (month !== undefined && month !== found) return 'day-of-year does not match month';
  if (day !== undefined && day !== rest) return 'day-of-year does not match day';
  return daysOf(year, found, rest);
}

function placed(fields: Fields, day: number, location: Location): Time {
  const { minute, nanosecond, zoneName, offset } = fields;
  const hour =
    fields.pm && fields.hour < 12 ? fields.hour + 12 : fields.am && fields.hour === 12 ? 0 : fields.hour;
  const second = hour * 3600 + minute * 60 + fields.second;
  if (fields.utc) return Time.ofDay(day, second, nanosecond);
  // In Go, -1 means that there is no offset, so one second west of UTC counts as none.
  if (offset !== undefined && offset !== -1) {
    const time = Time.ofDay(day, second - offset, nanosecond);
    const zone = location.at(time.days, time.second);
    const fits = zone.offset === offset && (zoneName === '' || zone.name === zoneName);
    return time.in(fits ? location : fixedZone(zoneName, offset));
  }
  if (zoneName === '') return Time.ofWall(day, second, nanosecond, location);
  const known = location.offsetOf(zoneName, day, second);
  if (known !== undefined) return Time.ofDay(day, second - known, nanosecond, location);
  // An abbreviation alone gives no offset, except GMT with hours.
  const assumed = zoneName.startsWith('GMT') ? Number(zoneName.slice(3)) * 3600 : 0;
  return Time.ofDay(day, second, nanosecond).in(fixedZone(zoneName, assumed));
}
