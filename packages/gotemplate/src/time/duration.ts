/** time.Duration: nanoseconds in 64 bits. */
import { GoError } from '../errors.ts';
import { type Func, fn } from '../value/func.ts';
import { INT64 } from '../value/type.ts';
import { Typed } from '../value/value.ts';
import { toBinary } from '../value/binary.ts';
import { quoteBytes } from './quote.ts';
import { DURATION, TYPES } from './types.ts';

export { DURATION };

export const MAX_DURATION = 2n ** 63n - 1n;
export const MIN_DURATION = -(2n ** 63n);
export const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;

/** A time.Duration. Values outside 64 bits wrap. */
export function duration(nanoseconds: bigint): Typed {
  return new Typed(DURATION, BigInt.asIntN(64, nanoseconds));
}

/** `2h3m0.5s`, as Duration.String. */
export function formatDuration(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < SECOND) {
    const small = Number(size);
    if (small === 0) return '0s';
    if (small < 1_000) return `${sign}${small}ns`;
    // The quotients have at most nine digits, which a double prints exactly.
    return small < 1_000_000 ? `${sign}${small / 1e3}µs` : `${sign}${small / 1e6}ms`;
  }
  const seconds = Number(size / SECOND);
  const fraction = Number(size % SECOND);
  const tail = fraction === 0 ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`;
  const minutes = Math.trunc(seconds / 60);
  const last = `${seconds % 60}${tail}s`;
  if (minutes === 0) return sign + last;
  return minutes < 60
    ? `${sign}${minutes}m${last}`
    : `${sign}${Math.trunc(minutes / 60)}h${minutes % 60}m${last}`;
}

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', SECOND],
  ['m', MINUTE],
  ['h', HOUR],
]);

/** The limit of a duration without its sign: one more than the largest positive one. */
const LIMIT = 2n ** 63n;

/** A number with a fraction, and its unit: all text before the next number. */
const TERM = /(\d*)(\.?)(\d*)([^.\d]*)/y;

/** `-1h2.5m` in nanoseconds. Throws a GoError with the text of time.ParseDuration. */
export function parseDuration(text: string): bigint {
  const fail = (what: string): never => {
    throw new GoError(`time: ${what} ${quoteBytes(toBinary(text))}`);
  };
  const negative = text.startsWith('-');
  let at = negative || text.startsWith('+') ? 1 : 0;
  if (text.slice(at) === '0') return 0n;
  if (at === text.length) fail('invalid duration');
  let sum = 0n;
  while (at < text.length) {
    TERM.lastIndex = at;
    const [term = '', whole = '', , fraction = '', name = ''] = TERM.exec(text) ?? [];
    if (whole === '' && fraction === '') fail('invalid duration');
    at += term.length;
    const value = leadingInteger(whole) ?? fail('invalid duration');
    if (name === '') fail('missing unit in duration');
    const unit = UNITS.get(name) ?? fail(`unknown unit ${quoteBytes(toBinary(name))} in duration`);
    if (value > LIMIT / unit) fail('invalid duration');
    const amount = value * unit + fractionOf(fraction, unit);
    if (amount > LIMIT) fail('invalid duration');
    // The sum has 64 bits and may wrap to zero.
    sum = BigInt.asUintN(64, sum + amount);
    if (sum > LIMIT) fail('invalid duration');
  }
  if (negative) return BigInt.asIntN(64, -sum);
  return sum > MAX_DURATION ? fail('invalid duration') : sum;
}

/** Undefined above 2^63. */
function leadingInteger(digits: string): bigint | undefined {
  const significant = digits.replace(/^0+/, '');
  if (significant.length > 19) return undefined;
  const value = BigInt(significant);
  return value > LIMIT ? undefined : value;
}

/** The fraction of a unit. As in Go, decimals that do not fit into 64 bits are dropped. */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits.slice(0, 40)) {
    const next = value * 10n + BigInt(digit);
    if (next > LIMIT) break;
    value = next;
    scale *= 10;
  }
  return value === 0n ? 0n : BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

export function truncateDuration(value: bigint, multiple: bigint): bigint {
  return multiple <= 0n ? value : value - (value % multiple);
}

/** Rounds to the nearest multiple, halves away from zero, limited to 64 bits. */
export function roundDuration(value: bigint, multiple: bigint): bigint {
  if (multiple <= 0n) return value;
  const size = value < 0n ? -value : value;
  const rest = size % multiple;
  const rounded = rest + rest < multiple ? size - rest : size + multiple - rest;
  const signed = value < 0n ? -rounded : rounded;
  return signed > MAX_DURATION ? MAX_DURATION : signed < MIN_DURATION ? MIN_DURATION : signed;
}

const nanosecondsOf = (value: Typed): bigint => value.value as bigint;

const inWhole =
  (unit: bigint) =>
  (d: Typed): Typed =>
    new Typed(INT64, nanosecondsOf(d) / unit);

/** Converts whole units and the rest separately, so whole units stay exact. */
const inFractions =
  (unit: bigint) =>
  (d: Typed): number =>
    Number(nanosecondsOf(d) / unit) + Number(nanosecondsOf(d) % unit) / Number(unit);

const METHODS: Readonly<Record<string, Func>> = {
  Abs: fn('func(time.Duration) time.Duration', (d: Typed) => duration(absolute(nanosecondsOf(d))), TYPES),
  Hours: fn('func(time.Duration) float64', inFractions(HOUR), TYPES),
  Microseconds: fn('func(time.Duration) int64', inWhole(1_000n), TYPES),
  Milliseconds: fn('func(time.Duration) int64', inWhole(1_000_000n), TYPES),
  Minutes: fn('func(time.Duration) float64', inFractions(MINUTE), TYPES),
  Nanoseconds: fn('func(time.Duration) int64', inWhole(1n), TYPES),
  Round: fn(
    'func(time.Duration, time.Duration) time.Duration',
    (d: Typed, m: Typed) => duration(roundDuration(nanosecondsOf(d), nanosecondsOf(m))),
    TYPES,
  ),
  Seconds: fn('func(time.Duration) float64', inFractions(SECOND), TYPES),
  String: fn('func(time.Duration) string', (d: Typed) => formatDuration(nanosecondsOf(d)), TYPES),
  Truncate: fn(
    'func(time.Duration, time.Duration) time.Duration',
    (d: Typed, m: Typed) => duration(truncateDuration(nanosecondsOf(d), nanosecondsOf(m))),
    TYPES,
  ),
};

function absolute(value: bigint): bigint {
  return value === MIN_DURATION ? MAX_DURATION : value < 0n ? -value : value;
}

for (const [name, method] of Object.entries(METHODS)) DURATION.methods.set(name, method);
