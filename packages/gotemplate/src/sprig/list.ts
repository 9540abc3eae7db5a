/** sprig's functions for slices and arrays of any type. They do not change their arguments. */
import type { Context } from '../context.ts';
import { GoError } from '../errors.ts';
import { isTrue } from '../exec/truth.ts';
import { grown } from '../value/capacity.ts';
import { deepEqual } from '../value/equal.ts';
import { type FuncMap, contextual, fn } from '../value/func.ts';
import { partOf } from '../value/part.ts';
import { ANY, ANY_SLICE, sliceOf } from '../value/type.ts';
import { Slice, type Value, appendedList, list as listOf, typeOf, withCapacity } from '../value/value.ts';
import { toInt64 } from './convert.ts';
import { family } from './family.ts';

/** The elements of a list. For other values, throws a GoError with the text `failure`. */
function elements(list: Value, failure: string, ending = ''): readonly Value[] {
  if (list instanceof Slice) return list.items;
  const type = typeOf(list);
  throw new GoError(
    type === undefined
      ? 'runtime error: invalid memory address or nil pointer dereference'
      : `${failure} ${type.kind}${ending}`,
  );
}

function first(_context: Context, list: Value): Value {
  return elements(list, 'Cannot find first on type')[0] ?? null;
}

function last(_context: Context, list: Value): Value {
  return elements(list, 'Cannot find last on type').at(-1) ?? null;
}

function append(context: Context, list: Value, value: Value): Slice {
  const items = elements(list, 'Cannot push on type');
  context.budget.hold(items.length + 1);
  return withCapacity(ANY_SLICE, [...items, value], grown(items.length, items.length + 1, ANY));
}

function prepend(context: Context, list: Value, value: Value): Slice {
  const items = elements(list, 'Cannot prepend on type');
  context.budget.hold(items.length + 1);
  return withCapacity(ANY_SLICE, [value, ...items], grown(1, items.length + 1, ANY));
}

function part(context: Context, items: readonly Value[], from: number, to: number): Slice {
  if (items.length === 0) return new Slice(ANY_SLICE, [], true);
  context.budget.hold(items.length - 1);
  return listOf(items.slice(from, to));
}

function rest(context: Context, list: Value): Slice {
  const items = elements(list, 'Cannot find rest on type');
  return part(context, items, 1, items.length);
}

function initial(context: Context, list: Value): Slice {
  const items = elements(list, 'Cannot find initial on type');
  return part(context, items, 0, items.length - 1);
}

function reverse(context: Context, list: Value): Slice {
  const items = elements(list, 'Cannot find reverse on type');
  context.budget.hold(items.length);
  return listOf(items.toReversed());
}

function compact(context: Context, list: Value): Slice {
  const items = elements(list, 'Cannot compact on type');
  context.budget.hold(items.length);
  return appendedList(
    ANY_SLICE,
    items.filter((item) => isTrue(item)),
  );
}

function concat(context: Context, ...lists: Value[]): Slice {
  const items: Value[] = [];
  for (const list of lists) {
    const more = elements(list, 'Cannot concat type', ' as list');
    context.budget.hold(more.length);
    for (const item of more) items.push(item);
  }
  return items.length === 0 ? new Slice(ANY_SLICE, [], true) : appendedList(ANY_SLICE, items);
}

function includes(context: Context, items: readonly Value[], value: Value): boolean {
  context.budget.spend(items.length);
  return items.some((item) => deepEqual(context, value, item));
}

function uniq(context: Context, list: Value): Slice {
  const items = elements(list, 'Cannot find uniq on type');
  context.budget.grow(16 * items.length);
  const seen = new Set<Value>();
  const unique: Value[] = [];
  for (const item of items) {
    context.budget.spend(1);
    // Scalars need no search.
    if (typeof item === 'object' || Number.isNaN(item) ? includes(context, unique, item) : seen.has(item))
      continue;
    seen.add(item);
    unique.push(item);
  }
  return appendedList(ANY_SLICE, unique);
}

function without(context: Context, list: Value, ...omit: Value[]): Slice {
  const items = elements(list, 'Cannot find without on type');
  context.budget.hold(items.length);
  return appendedList(
    ANY_SLICE,
    items.filter((item) => !includes(context, omit, item)),
  );
}

function has(context: Context, needle: Value, list: Value): boolean {
  return list != null && includes(context, elements(list, 'Cannot find has on type'), needle);
}

/** Keeps the list's type. In Go an array can be sliced through a pointer, but here lists are never pointers. */
function slice(context: Context, list: Value, ...bounds: Value[]): Value {
  const items = elements(list, 'list should be type of slice or array but');
  if (items.length === 0) return null;
  const from = toInt64(bounds[0]);
  const to = bounds.length < 2 ? BigInt(items.length) : toInt64(bounds[1]);
  const sliced = list as Slice;
  if (sliced.type.kind === 'array') throw new GoError('reflect.Value.Slice: slice of unaddressable array');
  if (from < 0n || from > to || to > sliced.capacity)
    throw new GoError('reflect.Value.Slice: slice index out of bounds');
  context.budget.hold(Number(to - from));
  return partOf(sliced, Number(from), Number(to));
}

const CHUNKS = sliceOf(ANY_SLICE);

/** Go computes the sizes with floats, so sizes of zero and less have a result too. */
function chunk(context: Context, wanted: bigint, list: Value): Slice {
  const items = elements(list, 'Cannot chunk type');
  const size = Number(wanted);
  const count = Math.floor((items.length - 1) / size) + 1;
  const last = items.length % size || size;
  const valid = count >= 0 && count < Infinity && (count < 2 || size > 0) && (count < 1 || last > 0);
  if (!valid) throw new GoError('runtime error: makeslice: len out of range');
  context.budget.hold(items.length + count);
  const chunks: Slice[] = [];
  for (let i = 0; i < count; i++)
    chunks.push(listOf(items.slice(i * size, i * size + (i === count - 1 ? last : size))));
  return new Slice(CHUNKS, chunks);
}

const make = fn('func(...interface{}) []interface{}', (...values: Value[]) => listOf(values));

const LIST = '[]interface {}';

export const list: FuncMap = {
  list: make,
  tuple: make,
  ...family('append', '(interface{}, interface{})', LIST, append),
  ...family('push', '(interface{}, interface{})', LIST, append),
  ...family('prepend', '(interface{}, interface{})', LIST, prepend),
  ...family('first', '(interface{})', 'interface{}', first),
  ...family('last', '(interface{})', 'interface{}', last),
  ...family('rest', '(interface{})', LIST, rest),
  ...family('initial', '(interface{})', LIST, initial),
  ...family('reverse', '(interface{})', LIST, reverse),
  ...family('compact', '(interface{})', LIST, compact),
  ...family('uniq', '(interface{})', LIST, uniq),
  ...family('without', '(interface{}, ...interface{})', LIST, without),
  ...family('has', '(interface{}, interface{})', 'bool', has),
  ...family('slice', '(interface{}, ...interface{})', 'interface{}', slice),
  ...family('chunk', '(int, interface{})', '[][]interface {}', chunk),
  concat: contextual('func(...interface{}) interface{}', concat),
};
