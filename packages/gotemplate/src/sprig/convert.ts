/** Sprig's lenient conversions of any value to text, a list of texts, or a number. They never fail. */
import type { Context } from '../context.ts';
import { GoError, attempt } from '../errors.ts';
import { display } from '../fmt/print.ts';
import { parseFloat } from '../strconv/float.ts';
import { parseInt } from '../strconv/int.ts';
import { callMethod, hasMethod, nilReceiver } from '../value/method.ts';
import { fromBytes } from '../value/text.ts';
import { BYTES, STRING_SLICE } from '../value/type.ts';
import { type Key, Pointer, Slice, Typed, type Value, bare, typeOf } from '../value/value.ts';

/** Text stays; bytes become text; a `String` or `Error` method is called; other values are printed with `%v`. */
export function strval(context: Context, value: Value): string {
  if (typeof value === 'string') return value;
  const type = typeOf(value);
  if (type === BYTES) return bytesText(context, value as Slice);
  // Printing also calls the method, but it hides a panic.
  if (type !== undefined)
    for (const name of ['Error', 'String']) if (hasMethod(type, name)) return callText(context, value, name);
  return display(context, value);
}

function callText(context: Context, value: Value, name: string): string {
  const elem = value instanceof Pointer && value.target === undefined ? value.type.elem : undefined;
  if (elem?.methods.has(name)) throw new GoError(nilReceiver(elem, name));
  return callMethod(context, value, name) as string;
}

function bytesText({ budget }: Context, { items }: Slice): string {
  budget.spend(items.length);
  budget.grow(items.length);
  return fromBytes(Uint8Array.from(items, (item) => Number(bare(item))));
}

/** The elements of a list as text, without nil ones. Another value becomes a list of one element, nil an empty list. */
export function strslice(context: Context, value: Value): readonly string[] {
  if (value == null) return [];
  if (!(value instanceof Slice)) return [strval(context, value)];
  if (value.type === STRING_SLICE) return value.items as readonly string[];
  context.budget.spend(value.items.length);
  context.budget.grow(16 * value.items.length);
  const texts: string[] = [];
  for (const item of value.items) if (item != null) texts.push(strval(context, item));
  return texts;
}

/**
 * A 64-bit integer, like Go's `int`. Larger unsigned numbers wrap. Floats lose their fraction. Strings may have a prefix
 * (`0x1F`; `010` is octal) and end with a point and zeros. Other values are 0.
 */
export function toInt64(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  const number = scalar(value);
  switch (typeof number) {
    case 'bigint':
      return BigInt.asIntN(64, number);
    case 'number':
      return truncate(number);
    case 'string':
      return SHORT_DECIMAL.test(number) ? BigInt(Number(number)) : readInt(withoutZeroFraction(number), 0);
    case 'boolean':
      return number ? 1n : 0n;
    default:
      return 0n;
  }
}

/** A float. Strings may have any format that Go parses. Other values are 0. */
export function toFloat64(value: Value): number {
  if (typeof value === 'number') return value;
  const number = scalar(value);
  return typeof number === 'string' ? readFloat(number) : Number(number ?? 0);
}

/** The bare form of a value that can be converted. Follows pointers. Of named types, only two can be converted. */
function scalar(value: Value): Key | undefined {
  while (value instanceof Pointer && value.target !== undefined) value = value.target;
  return value instanceof Typed && value.type.named && !CONVERTED.has(value.type.name)
    ? undefined
    : bare(value);
}

const CONVERTED: ReadonlySet<string> = new Set(['time.Month', 'time.Weekday']);

const INT64_LIMIT = 2 ** 63;

/** A number out of range becomes the smallest integer, as on processors. */
function truncate(value: number): bigint {
  return value >= -INT64_LIMIT && value < INT64_LIMIT ? BigInt(Math.trunc(value)) : BigInt(-INT64_LIMIT);
}

/** Longer texts do not count as numbers: reading them would cost more than a conversion pays for. */
const LONGEST = 1000;

const SHORT_DECIMAL = /^[+-]?(?:0|[1-9]\d{0,14})$/;

/** Parses a 64-bit integer like Go's `strconv.ParseInt`. Base 0 means: use the prefix. An invalid text is 0. */
export function readInt(text: string, base: number): bigint {
  return text.length > LONGEST ? 0n : attempt(() => parseInt(text, base, 64), 0n);
}

function withoutZeroFraction(text: string): string {
  if (text.length > LONGEST) return text;
  const end = text.search(/\.0+\.*$/);
  return end < 0 ? text : text.slice(0, end);
}

function readFloat(text: string): number {
  return text.length > LONGEST ? 0 : attempt(() => parseFloat(text, 64), 0);
}
