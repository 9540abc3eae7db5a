/**
 * The Gregorian calendar, extended in both directions, in days since 1970-01-01. Days are integers that a double represents
 * exactly, which is more than Go's range.
 */

/** Days from 0001-01-01 to 1970-01-01. */
export const DAYS_TO_1970 = 719162;

export const DAY = 86400;

export interface CivilDate {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

/** Days in 400 years, after which the calendar repeats. */
const CYCLE = 146097;
/** Years begin in March here, so a leap day is the last day of its year. This is 0000-03-01. */
const MARCH = -719468;

export function civilDate(days: number): CivilDate {
  const fromMarch = days - MARCH;
  const cycle = Math.floor(fromMarch / CYCLE);
  const inCycle = fromMarch - cycle * CYCLE;
  const leapDays =
    Math.trunc(inCycle / 1460) - Math.trunc(inCycle / 36524) + Math.trunc(inCycle / (CYCLE - 1));
  const yearInCycle = Math.trunc((inCycle - leapDays) / 365);
  const inYear = inCycle - yearInCycle * 365 - Math.trunc(yearInCycle / 4) + Math.trunc(yearInCycle / 100);
  // Five months of 153 days: 31, 30, 31, 30, 31, and so on from March.
  const monthFromMarch = Math.trunc((5 * inYear + 2) / 153);
  const day = inYear - Math.trunc((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return { year: cycle * 400 + yearInCycle + (month <= 2 ? 1 : 0), month, day };
}

/** The days since 1970 of a date. `month` is 1 to 12; `day` may be outside its month. */
export function daysOf(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const cycle = Math.floor(marchYear / 400);
  const yearInCycle = marchYear - cycle * 400;
  const inYear = Math.trunc((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5);
  const inCycle = yearInCycle * 365 + Math.trunc(yearInCycle / 4) - Math.trunc(yearInCycle / 100) + inYear;
  return cycle * CYCLE + inCycle + MARCH + day - 1;
}

/** 0 is Sunday. */
export function weekday(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}

/** From 1. */
export function yearDay(days: number, year: number): number {
  return days - daysOf(year, 1, 1) + 1;
}

export function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function daysIn(month: number, year: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
