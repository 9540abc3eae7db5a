import { ANY, type Type, sliceOf } from './type.ts';
import { Slice, type Value, zero } from './value.ts';

/** A slice of a slice: the two share an array in Go, and the inner one may be sliced again up to the end of that. */
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
 * `list[from:to:max]`, whose bounds are the caller's to check: `0 <= from <= to <= max <= list.capacity`. What lies between
 * the items and the capacity are zero values.
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
