/**
 * slice. Alone among the predefined functions it does not look into interfaces: an index that is seen through one is given as
 * null.
 */
import type { Context } from '../../context.ts';
import { GoError } from '../../errors.ts';
import { type FuncMap, contextual } from '../../value/func.ts';
import { byteLength, byteSlice } from '../../value/text.ts';
import { ANY, type Type, sliceOf } from '../../value/type.ts';
import { type Value, Pointer, Slice, bare, ofType, typeOf, zero } from '../../value/value.ts';
import { placeIn } from './argument.ts';
import { indirect } from './indirect.ts';

export const slicing: FuncMap = {
  slice: contextual(
    'func(reflect.Value, ...reflect.Value) (reflect.Value, error)',
    (context, value: Value, ...indexes: Value[]) => {
      if (value == null) throw new GoError('slice of untyped nil');
      const item = indirect(value);
      if (item == null) throw new GoError('slice of nil pointer');
      if (indexes.length > 3) throw new GoError(`too many slice indexes: ${indexes.length}`);
      if (item instanceof Slice) return partOfList(context, item, indexes, value instanceof Pointer);
      const type = typeOf(item);
      const text = bare(item);
      if (typeof text !== 'string' || type === undefined)
        throw new GoError(`can't slice item of type ${type?.name}`);
      return ofType(type, partOfText(context, text, indexes));
    },
  ),
};

function partOfText({ budget }: Context, text: string, indexes: readonly Value[]): string {
  if (indexes.length === 3) throw new GoError('cannot 3-index slice a string');
  budget.spend(text.length >> 6);
  const length = byteLength(text);
  const { from, to } = bounds(indexes, length, length);
  budget.grow(to - from);
  return byteSlice(text, from, to);
}

/** A slice of a slice: the two share an array in Go, and the inner one may be sliced again up to the end of that. */
class Part extends Slice {
  readonly whole: readonly Value[];
  readonly start: number;
  readonly end: number;

  constructor(type: Type, whole: readonly Value[], start: number, length: number, end: number) {
    super(type, padded(type, whole.slice(start, start + length), length), false, end - start);
    this.whole = whole;
    this.start = start;
    this.end = end;
  }
}

function partOfList(
  { budget }: Context,
  item: Slice,
  indexes: readonly Value[],
  addressable: boolean,
): Slice {
  const { whole, start, end } =
    item instanceof Part ? item : { whole: item.items, start: 0, end: item.capacity };
  const { from, to, max } = bounds(indexes, item.items.length, end - start);
  if (item.type.kind === 'array' && !addressable)
    throw new GoError(`reflect.Value.Slice${indexes.length === 3 ? 3 : ''}: slice of unaddressable array`);
  if (item.isNil) return item;
  budget.spend(to - from);
  budget.grow((to - from) * 16);
  const type = item.type.kind === 'array' ? sliceOf(item.type.elem ?? ANY) : item.type;
  return new Part(type, whole, start + from, to - from, start + max);
}

/** What lies between a list's items and its capacity shows when it is sliced. */
function padded(type: Type, items: Value[], length: number): Value[] {
  while (items.length < length) items.push(zero(type.elem ?? ANY));
  return items;
}

interface Bounds {
  readonly from: number;
  readonly to: number;
  /** Where the part's capacity ends. */
  readonly max: number;
}

function bounds(indexes: readonly Value[], length: number, capacity: number): Bounds {
  const [from = 0, to = length, max = capacity] = indexes.map((index) => placeIn(index, capacity));
  if (from > to) throw new GoError(`invalid slice index: ${from} > ${to}`);
  if (to > max) throw new GoError(`invalid slice index: ${to} > ${max}`);
  return { from, to, max };
}
