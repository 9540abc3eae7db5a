/** Local time: the wall clock of a location. */
import { DAY, DAYS_TO_1970, daysOf } from './calendar.ts';
import { type Location, UTC } from './location.ts';
import type { Zone } from './timeline.ts';

/** Local days since 1970, the second of the day, and the zone in effect. */
export interface Wall {
  readonly days: number;
  readonly second: number;
  readonly zone: Zone;
}

/** Go's calendar begins on March 1 of this year. Earlier times wrap to its end. */
const FIRST_YEAR = -292_277_022_400;
const FIRST_DAY = (FIRST_YEAR / 400) * 146_097 - 719_468;

/** In days: more than any offset from UTC. */
const MARGIN = 100_000;

const UTC_ZONE = UTC.at(0, 0);

/** The wall clock in a location at a moment: days since 1970 and the second of the day, in UTC. */
export function wallOf(days: number, second: number, location: Location): Wall {
  if (days < FIRST_DAY + MARGIN) return farWall(days, second, location);
  if (location === UTC) return { days, second, zone: UTC_ZONE };
  const zone = location.at(days, second);
  const local = second + zone.offset;
  if (local >= 0 && local < DAY) return { days, second: local, zone };
  const shift = Math.floor(local / DAY);
  return { days: days + shift, second: local - shift * DAY, zone };
}

/** Times before Go's calendar. As in Go, 64-bit arithmetic wraps them to the far future. */
function farWall(days: number, second: number, location: Location): Wall {
  const moment = BigInt.asIntN(64, toSeconds(days, second));
  const at = fromSeconds(moment);
  const zone = location.at(at.days, at.second);
  const begin = BigInt(FIRST_DAY) * BigInt(DAY);
  return { ...fromSeconds(BigInt.asUintN(64, moment + BigInt(zone.offset) - begin) + begin), zone };
}

/** The first second of a date, since 1970. Uses the 64-bit arithmetic of Go's time.Date, with the same overflows. */
export function secondsOfFarDate(year: bigint, month: number, day: bigint): bigint {
  const marchYear = BigInt.asUintN(64, year - (month <= 2 ? 1n : 0n) - BigInt(FIRST_YEAR));
  const centuryDays = BigInt.asUintN(64, (marchYear / 100n) * 146_097n) / 4n;
  const yearDays = ((marchYear % 100n) * 1461n) / 4n;
  // Days from March 1 to the first of the month, in any year.
  const monthDays = BigInt(daysOf(month <= 2 ? 1 : 0, month, 1) - daysOf(0, 3, 1));
  const days = BigInt.asUintN(64, centuryDays + yearDays + monthDays + day - 1n);
  return days * 86_400n + BigInt(FIRST_DAY) * 86_400n;
}

export function toSeconds(days: number, second: number): bigint {
  return BigInt(days) * 86_400n + BigInt(second);
}

export function fromSeconds(seconds: bigint): { days: number; second: number } {
  const rest = seconds % 86_400n;
  const second = rest < 0n ? rest + 86_400n : rest;
  return { days: Number((seconds - second) / 86_400n), second: Number(second) };
}

/** Seconds from year 1 to 1970. A Go time stores 64-bit seconds since year 1. */
export const TO_YEAR_1 = BigInt(DAYS_TO_1970) * 86_400n;
