/** Dates and durations. */
import type { Context } from '../context.ts';
import { GoError, attempt } from '../errors.ts';
import { SECOND, formatDuration, parseDuration, roundDuration } from '../time/duration.ts';
import { nearestInt } from '../strconv/int.ts';
import { formatTime } from '../time/format.ts';
import { UTC, loadLocation, localLocation } from '../time/location.ts';
import { payForLayout } from '../time/methods.ts';
import { parseTime } from '../time/parse.ts';
import { TIME, Time } from '../time/time.ts';
import { TYPES } from '../time/types.ts';
import { type FuncMap, contextual, fn } from '../value/func.ts';
import { INT32, INT64, pointerTo } from '../value/type.ts';
import { Pointer, Typed, type Value, zero } from '../value/value.ts';

const HTML_DATE = '2006-01-02';

/** The first reading of each execution's clock: the start of its monotonic time. */
const starts = new WeakMap<Context, bigint>();

function now(context: Context): Time {
  const reading = context.now();
  let start = starts.get(context);
  if (start === undefined) starts.set(context, (start = reading - 1n));
  return Time.unix(reading / SECOND, Number(reading % SECOND), localLocation(context.zone)).withMonotonic(
    reading - start,
  );
}

/** Seconds since 1970, if the value is an int or of one of the given types. */
function seconds(value: Value, ...types: unknown[]): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return value instanceof Typed && types.includes(value.type) ? (value.value as bigint) : undefined;
}

/** A date argument is a time, or seconds since 1970 as int, int32 or int64. Other values mean now. */
function timeOf(context: Context, value: Value): Time {
  if (value instanceof Time) return value;
  if (value instanceof Pointer && value.type === pointerTo(TIME)) {
    if (value.target instanceof Time) return value.target;
    throw new GoError('runtime error: invalid memory address or nil pointer dereference');
  }
  const since = seconds(value, INT64, INT32);
  return since === undefined ? now(context) : Time.unix(since);
}

function dateInZone(context: Context, layout: string, value: Value, zone: string): string {
  payForLayout(context, layout);
  const location = zone === 'Local' ? localLocation(context.zone) : (loadLocation(zone) ?? UTC);
  return formatTime(timeOf(context, value).in(location), layout);
}

/** The nanoseconds from a time to now. */
function age(context: Context, time: Time): bigint {
  return now(context).since(time);
}

function ago(context: Context, value: Value): string {
  const since = seconds(value, INT64);
  const time = value instanceof Time ? value : since === undefined ? now(context) : Time.unix(since);
  return formatDuration(roundDuration(age(context, time), SECOND));
}

/** Text from templates can be long, and the error that quotes it longer. */
function payForText({ budget }: Context, ...texts: string[]): void {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length < 64) return;
  budget.spend(length / 8);
  budget.grow(length * 16);
}

function modify(context: Context, change: string, time: Time): Time {
  payForText(context, change);
  return time.add(parseDuration(change));
}

function read(context: Context, layout: string, text: string): Time {
  payForLayout(context, layout);
  payForText(context, text);
  return parseTime(layout, text, localLocation(context.zone));
}

/** Decimal seconds; 0 if the text is not a number. Out of range, the nearest 64-bit integer. */
function secondsFrom(value: Value): bigint {
  if (value instanceof Typed && value.type === INT64) return value.value as bigint;
  return typeof value === 'string' ? nearestInt(value) : 0n;
}

function nanosecondsFrom(context: Context, value: Value): bigint {
  if (value instanceof Time) return age(context, value);
  if (value instanceof Typed && value.type === INT64) return value.value as bigint;
  if (typeof value !== 'string') return 0n;
  payForText(context, value);
  return attempt(() => parseDuration(value), 0n);
}

const DAY = 86_400n * SECOND;
const UNITS: readonly (readonly [size: bigint, name: string])[] = [
  [365n * DAY, 'y'],
  [30n * DAY, 'mo'],
  [DAY, 'd'],
  [3600n * SECOND, 'h'],
  [60n * SECOND, 'm'],
  [SECOND, 's'],
];

/** Truncates to the largest unit that is shorter than the duration. Drops the sign. */
function durationRound(context: Context, value: Value): string {
  const nanoseconds = nanosecondsFrom(context, value);
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const unit = UNITS.find(([length]) => size > length);
  return unit === undefined ? '0s' : `${size / unit[0]}${unit[1]}`;
}

const inZone = contextual('func(string, any, string) string', dateInZone).meaning(
  'layout',
  undefined,
  'zone',
);
const modified = contextual(
  'func(string, time.Time) time.Time',
  (context, change: string, time: Time) => attempt(() => modify(context, change, time), time),
  TYPES,
);
const mustModified = contextual('func(string, time.Time) (time.Time, error)', modify, TYPES);

export const date: FuncMap = {
  ago: contextual('func(any) string', ago),
  date: contextual('func(string, any) string', (context, layout: string, value: Value) =>
    dateInZone(context, layout, value, 'Local'),
  ).meaning('layout'),
  date_in_zone: inZone,
  date_modify: modified,
  dateInZone: inZone,
  dateModify: modified,
  duration: contextual('func(any) string', (context, value: Value) => {
    if (typeof value === 'string') payForText(context, value);
    return formatDuration(BigInt.asIntN(64, secondsFrom(value) * SECOND));
  }),
  durationRound: contextual('func(any) string', durationRound),
  htmlDate: contextual('func(any) string', (context, value: Value) =>
    dateInZone(context, HTML_DATE, value, 'Local'),
  ),
  htmlDateInZone: contextual('func(any, string) string', (context, value: Value, zone: string) =>
    dateInZone(context, HTML_DATE, value, zone),
  ).meaning(undefined, 'zone'),
  must_date_modify: mustModified,
  mustDateModify: mustModified,
  mustToDate: contextual('func(string, string) (time.Time, error)', read, TYPES).meaning('layout'),
  now: contextual('func() time.Time', now, TYPES),
  toDate: contextual(
    'func(string, string) time.Time',
    (context, layout: string, text: string) => attempt(() => read(context, layout, text), zero(TIME)),
    TYPES,
  ).meaning('layout'),
  unixEpoch: fn('func(time.Time) string', (time: Time) => String(time.unix()), TYPES),
};
