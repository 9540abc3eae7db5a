/** The zones that were, are and will be in effect in one place. */
import { DAY, civilDate, daysIn, daysOf, weekday } from './calendar.ts';

/** An offset from UTC under a name. */
export interface Zone {
  /** `CET`; empty for a bare offset. */
  readonly name: string;
  /** Seconds east of UTC. */
  readonly offset: number;
  readonly daylight: boolean;
}

/** A change that comes every year: on the `week`th (5: last) `weekday` (0: Sunday) of a month. */
export interface YearlyChange {
  /** What comes into effect. */
  readonly zone: Zone;
  readonly month: number;
  readonly week: number;
  readonly weekday: number;
  /** Seconds after the local midnight that begins the day, on the clock that was in effect until then. */
  readonly time: number;
}

/** The two changes of a year, in their order within it. */
export type YearlyRule = readonly [YearlyChange, YearlyChange];

export interface Change {
  /** Seconds since 1970. */
  readonly at: number;
  readonly zone: Zone;
}

export class Timeline {
  /** Every zone that occurs; the first is in effect before the first change. */
  readonly #zones: readonly [Zone, ...Zone[]];
  /** Ascending. */
  readonly #changes: readonly Change[];
  /** Holds from the last change on, which is the first one by the rule. */
  readonly #rule: YearlyRule | undefined;
  // The stretch that was found last: times often come in clusters.
  #from = Infinity;
  #to = -Infinity;
  #found: Zone;

  constructor(zones: readonly [Zone, ...Zone[]], changes: readonly Change[] = [], rule?: YearlyRule) {
    this.#zones = zones;
    this.#changes = changes;
    this.#rule = rule;
    this.#found = zones[0];
  }

  /** What is in effect at a moment: days since 1970 and the second of the day, in UTC. */
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
   * The offset of the zone of a name, at best of the one in effect when clocks on the spot show this day and second;
   * undefined if no zone has the name.
   */
  offsetOf(name: string, days: number, second: number): number | undefined {
    const named = this.#zones.filter((zone) => zone.name === name);
    for (const { offset } of named) {
      const moment = second - offset;
      const shift = Math.floor(moment / DAY);
      const found = this.at(days + shift, moment - shift * DAY);
      // The name may have stood for several offsets over the years.
      if (found.name === name) return found.offset;
    }
    return named[0]?.offset;
  }

  #byRule([one, two]: YearlyRule, days: number, second: number): Zone {
    const { year } = civilDate(days);
    const newYear = daysOf(year, 1, 1);
    // Counted from new year, so that in no year, however far away, seconds are too many to be exact.
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

/** When a change comes in a year, in seconds of UTC from its beginning. `newYear` is the year's first day since 1970. */
export function secondOfYear(change: YearlyChange, offset: number, year: number, newYear: number): number {
  const monthBegin = daysOf(year, change.month, 1);
  const first = 1 + ((change.weekday - weekday(monthBegin) + 7) % 7);
  let day = first + (change.week - 1) * 7;
  if (day > daysIn(change.month, year)) day -= 7;
  return (monthBegin + day - 1 - newYear) * DAY + change.time - offset;
}
