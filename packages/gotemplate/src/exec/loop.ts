/** The loops of `range`. */
import { display } from '../fmt/print.ts';
import { sortedKeys } from '../value/sorted-keys.ts';
import { INT, type Type, isInteger } from '../value/type.ts';
import { GoMap, Pointer, Slice, type Value, bare, ofType, typeOf } from '../value/value.ts';
import type { Node } from '../parse/ast.ts';
import { where } from './expression.ts';
import { failure } from './failure.ts';
import type { Frame } from './frame.ts';

/** A running loop. */
export class Loop {
  /** The value of dot before the loop. */
  readonly outer: Value;
  readonly length: number;
  /** Undefined if `range` has a number. */
  readonly #items: readonly Value[] | undefined;
  /** The keys of a map. */
  readonly #keys: readonly Value[] | undefined;
  /** The type of the ranged value. */
  readonly #type: Type;
  /** Whether keys and elements are seen through an interface. */
  readonly keySeen: boolean;
  readonly elementSeen: boolean;
  /** How many elements were taken. */
  taken = 0;

  constructor(outer: Value, type: Type, length: number, items?: readonly Value[], keys?: readonly Value[]) {
    this.outer = outer;
    this.length = length;
    this.#items = items;
    this.#keys = keys;
    this.#type = type;
    this.keySeen = type.key?.kind === 'interface';
    this.elementSeen = type.elem?.kind === 'interface';
  }

  take(): Value {
    const i = this.taken++;
    return this.#items === undefined ? ofType(this.#type, BigInt(i)) : this.#items[i];
  }

  /** The index or key of the element that was taken last. */
  key(): Value {
    const i = this.taken - 1;
    return this.#keys === undefined ? BigInt(i) : this.#keys[i];
  }
}

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
