/** The methods of times. */
import type { Context } from '../context.ts';
import { GoError } from '../errors.ts';
import { type Func, contextual, fn } from '../value/func.ts';
import { toBytes } from '../value/text.ts';
import { BYTES, INT64, UINT8 } from '../value/type.ts';
import { type Pointer, Slice, Typed, type Value, ofType } from '../value/value.ts';
import { encodeTime } from './binary.ts';
import { type CivilDate, civilDate, weekday, yearDay } from './calendar.ts';
import { duration } from './duration.ts';
import { dayName, formatTime, goString, monthName, printTime } from './format.ts';
import { Location, UTC, localLocation } from './location.ts';
import { writeRFC3339 } from './rfc3339.ts';
import type { Time } from './time.ts';
import { MONTH, TYPES, WEEKDAY } from './types.ts';

type Impl = (...args: never[]) => Value;

/** `signature` is written without its receiver: `(string) string`. */
const method = (signature: string, impl: Impl): Func => fn(withReceiver(signature), impl, TYPES);

const contextualMethod = (signature: string, impl: (context: Context, ...args: never[]) => Value): Func =>
  contextual(withReceiver(signature), impl, TYPES);

function withReceiver(signature: string): string {
  return `func(time.Time${signature.startsWith('()') ? '' : ', '}${signature.slice(1)}`;
}

/** A method with too many results for templates. Its signature makes the call fail with Go's message. */
const refused = (signature: string): Func => method(signature, () => undefined);

const int = (compute: (t: Time) => number): Func => method('() int', (t: Time) => BigInt(compute(t)));
const int64 = (compute: (t: Time) => bigint): Func =>
  method('() int64', (t: Time) => new Typed(INT64, BigInt.asIntN(64, compute(t))));
const integerOf = (value: Typed): bigint => value.value as bigint;
const dateOf = (t: Time): CivilDate => civilDate(t.wall().days);

/** Layouts from templates can be long, and each character can be a part. */
export function payForLayout({ budget }: Context, layout: string): void {
  if (layout.length < 64) return;
  budget.spend(layout.length * 8);
  budget.grow(layout.length * 64);
}

function bytes(text: string): Slice {
  return byteSlice(toBytes(text));
}

function byteSlice(data: Uint8Array, before?: Slice): Slice {
  return new Slice(BYTES, [
    ...(before?.items ?? []),
    ...Array.from(data, (byte) => ofType(UINT8, BigInt(byte))),
  ]);
}

function append({ budget }: Context, before: Slice, data: Uint8Array): Slice {
  budget.spend(before.items.length + 4 * data.length);
  budget.grow(before.items.length * 16 + data.length * 64);
  return byteSlice(data, before);
}

export const methods: Readonly<Record<string, Func>> = {
  Add: method('(time.Duration) time.Time', (t: Time, d: Typed) => t.add(integerOf(d))),
  AddDate: method('(int, int, int) time.Time', (t: Time, years: bigint, months: bigint, days: bigint) =>
    t.addDate(years, months, days),
  ),
  After: method('(time.Time) bool', (t: Time, u: Time) => t.compare(u) > 0),
  AppendBinary: contextualMethod('([]byte) ([]byte, error)', (context, t: Time, before: Slice) =>
    append(context, before, encodeTime(t)),
  ),
  AppendFormat: contextualMethod(
    '([]byte, string) []byte',
    (context, t: Time, before: Slice, layout: string) => {
      payForLayout(context, layout);
      return append(context, before, toBytes(formatTime(t, layout)));
    },
  ),
  AppendText: contextualMethod('([]byte) ([]byte, error)', (context, t: Time, before: Slice) =>
    append(context, before, toBytes(writeRFC3339(t, 'Time.AppendText'))),
  ),
  Before: method('(time.Time) bool', (t: Time, u: Time) => t.compare(u) < 0),
  Clock: refused('() (int, int, int)'),
  Compare: method('(time.Time) int', (t: Time, u: Time) => BigInt(Math.sign(t.compare(u)))),
  Date: refused('() (int, time.Month, int)'),
  Day: int((t) => dateOf(t).day),
  Equal: method('(time.Time) bool', (t: Time, u: Time) => t.compare(u) === 0),
  Format: contextualMethod('(string) string', (context, t: Time, layout: string) => {
    payForLayout(context, layout);
    return formatTime(t, layout);
  }).meaning('layout'),
  GoString: method('() string', goString),
  GobEncode: method('() ([]byte, error)', (t: Time) => byteSlice(encodeTime(t))),
  Hour: int((t) => Math.trunc(t.wall().second / 3600)),
  ISOWeek: refused('() (int, int)'),
  In: method('(*time.Location) time.Time', (t: Time, { target }: Pointer) => {
    if (target instanceof Location) return t.in(target);
    throw new GoError('time: missing Location in call to Time.In');
  }),
  IsDST: method('() bool', (t: Time) => t.wall().zone.daylight),
  IsZero: method('() bool', (t: Time) => t.isZero),
  Local: contextualMethod('() time.Time', ({ zone }, t: Time) => t.in(localLocation(zone))),
  Location: method('() *time.Location', (t: Time) => t.location.pointer),
  MarshalBinary: method('() ([]byte, error)', (t: Time) => byteSlice(encodeTime(t))),
  MarshalJSON: method('() ([]byte, error)', (t: Time) => bytes(`"${writeRFC3339(t, 'Time.MarshalJSON')}"`)),
  MarshalText: method('() ([]byte, error)', (t: Time) => bytes(writeRFC3339(t, 'Time.MarshalText'))),
  Minute: int((t) => Math.trunc(t.wall().second / 60) % 60),
  Month: method('() time.Month', (t: Time) => ofType(MONTH, BigInt(dateOf(t).month))),
  Nanosecond: int((t) => t.nanosecond),
  Round: method('(time.Duration) time.Time', (t: Time, d: Typed) => t.round(integerOf(d))),
  Second: int((t) => t.wall().second % 60),
  String: method('() string', printTime),
  Sub: method('(time.Time) time.Duration', (t: Time, u: Time) => duration(t.since(u))),
  Truncate: method('(time.Duration) time.Time', (t: Time, d: Typed) => t.truncate(integerOf(d))),
  UTC: method('() time.Time', (t: Time) => t.in(UTC)),
  Unix: int64((t) => t.unix()),
  UnixMicro: int64((t) => t.unix() * 1_000_000n + BigInt(Math.trunc(t.nanosecond / 1e3))),
  UnixMilli: int64((t) => t.unix() * 1_000n + BigInt(Math.trunc(t.nanosecond / 1e6))),
  UnixNano: int64((t) => t.unixNano()),
  Weekday: method('() time.Weekday', (t: Time) => ofType(WEEKDAY, BigInt(weekday(t.wall().days)))),
  Year: int((t) => dateOf(t).year),
  YearDay: int((t) => {
    const { days } = t.wall();
    return yearDay(days, civilDate(days).year);
  }),
  Zone: refused('() (string, int)'),
  ZoneBounds: refused('() (time.Time, time.Time)'),
};

/** The name of a number, or Go's text for a number without a name. */
function named(type: string, name: (n: number) => string): Func {
  return fn(
    `func(${type}) string`,
    (value: Typed) => {
      const n = integerOf(value);
      const text = n >= 0n && n <= 12n ? name(Number(n)) : '';
      return text || `%!${type.slice('time.'.length)}(${BigInt.asUintN(64, n)})`;
    },
    TYPES,
  );
}

MONTH.methods.set('String', named('time.Month', monthName));
WEEKDAY.methods.set('String', named('time.Weekday', dayName));
