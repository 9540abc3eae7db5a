import { ANY, type Type, sliceOf } from './type.ts';
import { Slice, type Value, zero } from './value.ts';

/** A slice of a slice. In Go both share an array, so the part can be sliced again up to the end of the array. */
class Part extends Slice {
  readonly whole: readonly Value[];
  readonly start: number;

  constructor(type: Type, items: readonly Value[], room: number, whole: readonly Value[], start: number) {
    super(type, items, false, room);
    this.whole = whole;
    this.start = start;
  }
}

/**
 * `list[from:to:max]`. The caller checks the bounds: `0 <= from <= to <= max <= list.capacity`. Zero values follow the
 * items, up to the capacity.
 */
export function partOf(list: Slice, from: number, to: number, max = list.capacity): Slice {
  if (list.isNil) return list;
  const { whole, start } = list instanceof Part ? list : { whole: list.items, start: 0 };
  const elem = list.type.elem ?? ANY;
  const items = whole.slice(start + from, start + to);
  while (items.length < to - from) items.push(zero(elem));
  return new Part(
    list.type.kind === 'array' ? sliceOf(elem) : list.type,
    items,
    max - to,
    whole,
    start + from,
  );
}
