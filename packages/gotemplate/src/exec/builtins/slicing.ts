/**
 * slice. It is the only predefined function that does not look into interfaces: an index of interface type is passed as
 * null.
 */
import type { Context } from '../../context.ts';
import { GoError } from '../../errors.ts';
import { type FuncMap, contextual } from '../../value/func.ts';
import { partOf } from '../../value/part.ts';
import { byteLength, byteSlice } from '../../value/text.ts';
import { type Value, Pointer, Slice, bare, ofType, typeOf } from '../../value/value.ts';
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

function partOfList(
  { budget }: Context,
  item: Slice,
  indexes: readonly Value[],
  addressable: boolean,
): Slice {
  const { from, to, max } = bounds(indexes, item.items.length, item.capacity);
  if (item.type.kind === 'array' && !addressable)
    throw new GoError(`reflect.Value.Slice${indexes.length === 3 ? 3 : ''}: slice of unaddressable array`);
  budget.spend(to - from);
  budget.grow((to - from) * 16);
  return partOf(item, from, to, max);
}

interface Bounds {
  readonly from: number;
  readonly to: number;
  /** The end of the part's capacity. */
  readonly max: number;
}

function bounds(indexes: readonly Value[], length: number, capacity: number): Bounds {
  const [from = 0, to = length, max = capacity] = indexes.map((index) => placeIn(index, capacity));
  if (from > to) throw new GoError(`invalid slice index: ${from} > ${to}`);
  if (to > max) throw new GoError(`invalid slice index: ${to} > ${max}`);
  return { from, to, max };
}
