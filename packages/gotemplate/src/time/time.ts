/** time.Time. */
import { INT64, UINT64 } from '../value/type.ts';
import { Typed, type Value, nilPointer, setZero } from '../value/value.ts';
import { DAY, DAYS_TO_1970, civilDate, daysOf } from './calendar.ts';
import { MAX_DURATION, MIN_DURATION, SECOND } from './duration.ts';
import { printTime } from './format.ts';
import { type Location, UTC, fixedZone } from './location.ts';
import { methods } from './methods.ts';
import { readRFC3339 } from './rfc3339.ts';
import { LOCATION, TIME } from './types.ts';
import { TO_YEAR_1, type Wall, fromSeconds, secondsOfFarDate, toSeconds, wallOf } from './wall.ts';

export { TIME };

const BILLION = 1_000_000_000;

const SINCE_1885 = BigInt(daysOf(1885, 1, 1)) * 86_400n;

/** After this day, sums may exceed Go's 64 bits. */
const FAR = 1e14;

/** A moment in nanoseconds, with a location. Immutable. */
export class Time {
  readonly type = TIME;
  /** Days since 1970, in UTC. */
  readonly days: number;
  /** The second of the day, in UTC. */
  readonly second: number;
  readonly nanosecond: number;
  readonly location: Location;
  /** The reading of the monotonic clock in nanoseconds, if the time comes from a clock. It appears in the printed time. */
  readonly monotonic: bigint | undefined;

  private constructor(
    days: number,
    second: number,
    nanosecond: number,
    location: Location,
    monotonic?: bigint,
  ) {
    this.days = days;
    this.second = second;
    this.nanosecond = nanosecond;
    this.location = location;
    this.monotonic = monotonic;
  }

  /** Seconds and nanoseconds since 1970. The seconds must be an integer; values outside 64 bits wrap. */
  static unix(seconds: bigint | number, nanoseconds = 0, location = UTC): Time {
    const carry = Math.floor(nanoseconds / BILLION);
    const whole = BigInt(seconds) + BigInt(carry);
    const { days, second } = fromSeconds(BigInt.asIntN(64, whole + TO_YEAR_1) - TO_YEAR_1);
    return new Time(days, second, nanoseconds - carry * BILLION, location);
  }

  /** Throws a RangeError for an invalid Date. */
  static fromDate(date: Date, location = UTC): Time {
    const milliseconds = date.getTime();
    const seconds = Math.floor(milliseconds / 1000);
    return Time.unix(seconds, (milliseconds - seconds * 1000) * 1_000_000, location);
  }

  /**
   * Parses RFC 3339 strictly: `2006-01-02T15:04:05.999Z`. Fractions are cut after nine digits. `Z` and an offset of zero
   * give UTC, other offsets a zone without a name. Undefined if the text is invalid.
   */
  static parseRFC3339(text: string): Time | undefined {
    const read = readRFC3339(text);
    if (read === undefined) return undefined;
    const { days, second, nanosecond, offset } = read;
    return Time.ofDay(days, second - offset, nanosecond, offset === 0 ? UTC : fixedZone('', offset));
  }

  /** A day since 1970 and a second, in UTC. The second may be outside the day. */
  static ofDay(days: number, second: number, nanosecond = 0, location = UTC): Time {
    const shift = Math.floor(second / DAY);
    return new Time(days + shift, second - shift * DAY, nanosecond, location);
  }

  /** The moment of a local day since 1970 and second in a location. If there are two, the one of Go's time.Date. */
  static ofWall(days: number, second: number, nanosecond: number, location: Location): Time {
    const guess = Time.ofDay(days, second);
    const near = Time.ofDay(days, second - location.at(guess.days, guess.second).offset);
    const { offset } = location.at(near.days, near.second);
    return Time.ofDay(days, second - offset, nanosecond, location);
  }

  /** The same moment with a clock reading. Dropped, as in Go, outside 1885 to 2157. */
  withMonotonic(monotonic: bigint): Time {
    const seconds = toSeconds(this.days, this.second) - SINCE_1885;
    return seconds < 0n || seconds >= 1n << 33n
      ? this
      : new Time(this.days, this.second, this.nanosecond, this.location, monotonic);
  }

  /** The wall clock in the time's location. */
  wall(): Wall {
    return wallOf(this.days, this.second, this.location);
  }

  in(location: Location): Time {
    return new Time(this.days, this.second, this.nanosecond, location);
  }

  /** Seconds since 1970. */
  unix(): bigint {
    return BigInt.asIntN(64, toSeconds(this.days, this.second));
  }

  /** Nanoseconds since 1970; outside the years 1678 to 2262 they wrap. */
  unixNano(): bigint {
    return BigInt.asIntN(64, this.unix() * SECOND + BigInt(this.nanosecond));
  }

  get isZero(): boolean {
    return this.days === -DAYS_TO_1970 && this.second === 0 && this.nanosecond === 0;
  }

  /** Below 0, 0, above 0. */
  compare(other: Time): number {
    return this.days - other.days || this.second - other.second || this.nanosecond - other.nanosecond;
  }

  /** Later by nanoseconds. */
  add(nanoseconds: bigint): Time {
    const sum = this.nanosecond + Number(nanoseconds % SECOND);
    const carry = sum >= BILLION ? 1 : sum < 0 ? -1 : 0;
    const seconds = Number(nanoseconds / SECOND) + carry;
    const later = this.#shift(seconds, sum - carry * BILLION);
    if (this.monotonic === undefined) return later;
    const monotonic = this.monotonic + nanoseconds;
    return monotonic > MAX_DURATION || monotonic < MIN_DURATION ? later : later.withMonotonic(monotonic);
  }

  #shift(seconds: number, nanosecond: number): Time {
    if (Math.abs(this.days) < FAR)
      return Time.ofDay(this.days, this.second + seconds, nanosecond, this.location);
    const sum = toSeconds(this.days, this.second) + TO_YEAR_1 + BigInt(seconds);
    const limited = sum > MAX_DURATION ? MAX_DURATION : sum < MIN_DURATION ? -MAX_DURATION : sum;
    const { days, second } = fromSeconds(limited - TO_YEAR_1);
    return new Time(days, second, nanosecond, this.location);
  }

  /** The nanoseconds since another time, limited to 64 bits. */
  since(other: Time): bigint {
    const nanoseconds = this.#nanoseconds() - other.#nanoseconds();
    return nanoseconds > MAX_DURATION
      ? MAX_DURATION
      : nanoseconds < MIN_DURATION
        ? MIN_DURATION
        : nanoseconds;
  }

  /** Since year 1. */
  #nanoseconds(): bigint {
    return (toSeconds(this.days, this.second) + TO_YEAR_1) * SECOND + BigInt(this.nanosecond);
  }

  /** The remainder of the time since year 1, divided by `multiple`. */
  #rest(multiple: bigint): bigint {
    const rest = this.#nanoseconds() % multiple;
    return rest < 0n ? rest + multiple : rest;
  }

  truncate(multiple: bigint): Time {
    const bare = this.in(this.location);
    return multiple <= 0n ? bare : bare.add(-this.#rest(multiple));
  }

  /** Halves go up. */
  round(multiple: bigint): Time {
    const bare = this.in(this.location);
    if (multiple <= 0n) return bare;
    const rest = this.#rest(multiple);
    return bare.add(rest + rest < multiple ? -rest : multiple - rest);
  }

  /** Adds calendar years, months and days. A day after the end of its month moves into the next month. */
  addDate(years: bigint, months: bigint, days: bigint): Time {
    const wall = this.wall();
    const { year, month, day } = civilDate(wall.days);
    const monthSum = BigInt.asIntN(64, BigInt(month) + months - 1n);
    const monthRest = ((monthSum % 12n) + 12n) % 12n;
    const yearSum = BigInt.asIntN(64, BigInt.asIntN(64, BigInt(year) + years) + (monthSum - monthRest) / 12n);
    const daySum = BigInt.asIntN(64, BigInt(day) + days);
    if (abs(yearSum) < 1n << 30n && abs(daySum) < 1n << 40n) {
      const first = daysOf(Number(yearSum), Number(monthRest) + 1, 1);
      return Time.ofWall(first + Number(daySum) - 1, wall.second, this.nanosecond, this.location);
    }
    const at = fromSeconds(
      BigInt.asIntN(64, secondsOfFarDate(yearSum, Number(monthRest) + 1, daySum) + BigInt(wall.second)),
    );
    const far = Time.ofWall(at.days, at.second, this.nanosecond, this.location);
    return Time.unix(far.unix(), this.nanosecond, this.location);
  }

  /** The fields of Go's struct: `wall`, `ext`, `loc`. */
  get fields(): readonly Value[] {
    const seconds = toSeconds(this.days, this.second);
    const nanosecond = BigInt(this.nanosecond);
    const read = this.monotonic;
    const wall = read === undefined ? nanosecond : (1n << 63n) | ((seconds - SINCE_1885) << 30n) | nanosecond;
    return [
      new Typed(UINT64, wall),
      new Typed(INT64, read ?? seconds + TO_YEAR_1),
      this.location === UTC ? nilPointer(LOCATION) : this.location.pointer,
    ];
  }

  toString(): string {
    return printTime(this);
  }
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

setZero(TIME, () => Time.unix(-TO_YEAR_1));
for (const [name, method] of Object.entries(methods)) TIME.methods.set(name, method);
