import type { Type } from '../value/type.ts';
import { type Value, ofType } from '../value/value.ts';

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
