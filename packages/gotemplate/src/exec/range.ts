/** The beginning of `range`. */
import { display } from '../fmt/print.ts';
import type { Node } from '../parse/ast.ts';
import { sortedKeys } from '../value/sorted-keys.ts';
import { INT, isInteger } from '../value/type.ts';
import { GoMap, Pointer, Slice, type Value, bare, ofType, typeOf } from '../value/value.ts';
import { where } from './expression.ts';
import { failure } from './failure.ts';
import type { Frame } from './frame.ts';
import { Loop } from './loop.ts';

/** Begins a loop; undefined if there are no elements. `two`: a second variable receives indexes or keys. */
export function begin(frame: Frame, ranged: Value, two: boolean, last: Node | undefined): Loop | undefined {
  let value = ranged;
  while (value instanceof Pointer && value.target !== undefined) value = value.target;
  if (value === undefined) return undefined;
  if (value instanceof Slice)
    return value.items.length === 0
      ? undefined
      : new Loop(frame.dot, value.type, value.items.length, value.items);
  if (value instanceof GoMap) return value.entries.size === 0 ? undefined : throughMap(frame, value);
  const count = bare(value);
  const type = typeOf(value);
  if (typeof count !== 'bigint' || type === undefined || !isInteger(type.kind))
    throw failure(frame, where(frame, last), `range can't iterate over ${display(frame.context, value)}`);
  if (two)
    throw failure(
      frame,
      where(frame, last),
      `can't use ${display(frame.context, value)} to iterate over more than one variable`,
    );
  return count <= 0n ? undefined : new Loop(frame.dot, type, Number(count));
}

/** A loop in the order of the keys. If the body changes the map, the loop stays the same. */
function throughMap(frame: Frame, map: GoMap): Loop {
  const { type, entries } = map;
  const { budget } = frame.context;
  budget.spend(entries.size);
  budget.grow(entries.size * 32);
  const keys = sortedKeys(frame.context, map);
  const keyType = type.key ?? INT;
  return new Loop(
    frame.dot,
    type,
    keys.length,
    keys.map((key) => entries.get(key)),
    keys.map((key) => ofType(keyType, key)),
  );
}
