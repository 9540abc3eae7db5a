/** How sprig turns anything into text, a list of texts or a number: by guesswork, and never with an error. */
import type { Context } from '../context.ts';
import { GoError, attempt } from '../errors.ts';
import { display } from '../fmt/print.ts';
import { parseFloat } from '../strconv/float.ts';
import { parseInt } from '../strconv/int.ts';
import { callMethod, hasMethod, nilReceiver } from '../value/method.ts';
import { fromBytes } from '../value/text.ts';
import { BYTES, STRING_SLICE } from '../value/type.ts';
import { type Key, Pointer, Slice, Typed, type Value, bare, typeOf } from '../value/value.ts';

/** Text as it is, bytes as text, what has a `String` method by that, anything else as `%v` prints it. */
export function strval(context: Context, value: Value): string {
  if (typeof value === 'string') return value;
  const type = typeOf(value);
  if (type === BYTES) return bytesText(context, value as Slice);
  // Printing would call the method as well, but also survive its panic.
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

/** The elements of a list, without those that are nil, as text; of anything else a list of one; of nil none. */
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
 * A whole number of 64 bits, as Go's `int` has them, too. Wider unsigned ones wrap, floats lose their fraction, strings are
 * read with their prefix (`0x1F`, and `010` in octal) and may end in a point and zeros; anything else is 0.
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

/** A float, which a string may say in any way that Go reads; 0 for anything else. */
export function toFloat64(value: Value): number {
  if (typeof value === 'number') return value;
  const number = scalar(value);
  return typeof number === 'string' ? readFloat(number) : Number(number ?? 0);
}

/** The bare form of what converts, behind pointers too: of named types only two do. */
function scalar(value: Value): Key | undefined {
  while (value instanceof Pointer && value.target !== undefined) value = value.target;
  return value instanceof Typed && value.type.named && !CONVERTED.has(value.type.name)
    ? undefined
    : bare(value);
}

const CONVERTED: ReadonlySet<string> = new Set(['time.Month', 'time.Weekday']);

const INT64_LIMIT = 2 ** 63;

/** What is out of range becomes the least number, as processors have it. */
function truncate(value: number): bigint {
  return value >= -INT64_LIMIT && value < INT64_LIMIT ? BigInt(Math.trunc(value)) : BigInt(-INT64_LIMIT);
}

/** Longer texts are no numbers, whatever they hold: reading them would cost more than a conversion pays for. */
const LONGEST = 1000;

const SHORT_DECIMAL = /^[+-]?(?:0|[1-9]\d{0,14})$/;

/** A number of 64 bits as Go's `strconv.ParseInt` reads it, base 0 meaning by its prefix; 0 for what is none. */
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
