/** The past, current and future zones of one location. */
import { DAY, civilDate, daysIn, daysOf, weekday } from './calendar.ts';

/** An offset from UTC, with a name. */
export interface Zone {
  /** `CET`; empty if it is only an offset. */
  readonly name: string;
  /** Seconds east of UTC. */
  readonly offset: number;
  readonly daylight: boolean;
}

/** A yearly change: on the `week`th (5: last) `weekday` (0: Sunday) of a month. */
export interface YearlyChange {
  /** The new zone. */
  readonly zone: Zone;
  readonly month: number;
  readonly week: number;
  readonly weekday: number;
  /** Seconds after midnight, in local time before the change. */
  readonly time: number;
}

/** The two changes of a year, in order. */
export type YearlyRule = readonly [YearlyChange, YearlyChange];

export interface Change {
  /** Seconds since 1970. */
  readonly at: number;
  readonly zone: Zone;
}

export class Timeline {
  /** All zones. The first is in effect before the first change. */
  readonly #zones: readonly [Zone, ...Zone[]];
  /** Ascending. */
  readonly #changes: readonly Change[];
  /** In effect from the last change on, which is already one of the rule. */
  readonly #rule: YearlyRule | undefined;
  // Caches the last interval: lookups are often close to each other.
  #from = Infinity;
  #to = -Infinity;
  #found: Zone;

  constructor(zones: readonly [Zone, ...Zone[]], changes: readonly Change[] = [], rule?: YearlyRule) {
    this.#zones = zones;
    this.#changes = changes;
    this.#rule = rule;
    this.#found = zones[0];
  }

  /** The zone in effect at a moment: days since 1970 and the second of the day, in UTC. */
  at(days: number, second: number): Zone {
    const moment = days * DAY + second;
    if (moment >= this.#from && moment < this.#to) return this.#found;
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#changes[middle]?.at ?? Infinity) <= moment) low = middle + 1;
      else high = middle;
    }
    const last = this.#changes[low - 1];
    if (low === this.#changes.length && this.#rule !== undefined)
      return this.#byRule(this.#rule, days, second);
    return this.#find(
      last?.zone ?? this.#zones[0],
      last?.at ?? -Infinity,
      this.#changes[low]?.at ?? Infinity,
    );
  }

  /**
   * The offset of the zone with a name: if possible, of the one in effect at this local day and second. Undefined if no
   * zone has the name.
   */
  offsetOf(name: string, days: number, second: number): number | undefined {
    const named = this.#zones.filter((zone) => zone.name === name);
    for (const { offset } of named) {
      const moment = second - offset;
      const shift = Math.floor(moment / DAY);
      const found = this.at(days + shift, moment - shift * DAY);
      // A name may have different offsets in different years.
      if (found.name === name) return found.offset;
    }
    return named[0]?.offset;
  }

  #byRule([one, two]: YearlyRule, days: number, second: number): Zone {
    const { year } = civilDate(days);
    const newYear = daysOf(year, 1, 1);
    // Counted from the new year, so the seconds are exact in any year.
    const moment = (days - newYear) * DAY + second;
    const first = secondOfYear(one, two.zone.offset, year, newYear);
    const then = secondOfYear(two, one.zone.offset, year, newYear);
    const zone = moment >= first && moment < then ? one.zone : two.zone;
    const start = newYear * DAY;
    if (!Number.isSafeInteger(start)) return zone;
    if (moment < first) return this.#find(zone, start, start + first);
    return moment < then
      ? this.#find(zone, start + first, start + then)
      : this.#find(zone, start + then, start + 365 * DAY);
  }

  #find(zone: Zone, from: number, to: number): Zone {
    this.#from = from;
    this.#to = to;
    this.#found = zone;
    return zone;
  }
}

/** The moment of a change in UTC seconds since the start of the year. `newYear` is the year's first day since 1970. */
export function secondOfYear(change: YearlyChange, offset: number, year: number, newYear: number): number {
  const monthBegin = daysOf(year, change.month, 1);
  const first = 1 + ((change.weekday - weekday(monthBegin) + 7) % 7);
  let day = first + (change.week - 1) * 7;
  if (day > daysIn(change.month, year)) day -= 7;
  return (monthBegin + day - 1 - newYear) * DAY + change.time - offset;
}
