import type { Budget } from '../budget.ts';
import type { Context } from '../context.ts';
import { ANY, type Type, isExported } from './type.ts';
import { GoMap, Pointer, Slice, Struct, type Value, zero } from './value.ts';

/**
 * A copy that shares no list, map, struct or pointer with the value. As in Go's `copystructure`, unexported fields and
 * nil pointers inside become zero values, and parts that the value shares are copied separately.
 */
export function deepCopy(context: Context, value: Value): Value {
  const copying = new Copying(context.budget);
  const copy = copying.shell(value);
  copying.fill();
  return copy;
}

/** Uses a list of pending work instead of recursion: data can be nested deeper than the call stack. */
class Copying {
  readonly #budget: Budget;
  readonly #pending: (() => void)[] = [];

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** The copy; its contents are filled in later. */
  shell(value: Value): Value {
    if (value instanceof Slice) return this.#slice(value);
    if (value instanceof GoMap) return this.#map(value);
    if (value instanceof Struct) return this.#struct(value);
    if (value instanceof Pointer) return new Pointer(value.type, this.shell(value.target));
    return value;
  }

  fill(): void {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) next();
  }

  #inside(value: Value, type: Type = ANY): Value {
    return value instanceof Pointer && value.target === undefined ? zero(type) : this.shell(value);
  }

  #slice({ type, items, isNil, room }: Slice): Slice {
    this.#budget.hold(items.length + 1);
    const copies: Value[] = [];
    this.#pending.push(() => {
      for (const item of items) copies.push(this.#inside(item, type.elem));
    });
    return new Slice(type, copies, isNil, room);
  }

  #map({ type, entries, isNil }: GoMap): GoMap {
    this.#budget.hold(entries.size + 1);
    const copy = new GoMap(type, new Map(), isNil);
    this.#pending.push(() => {
      for (const [key, value] of entries) copy.entries.set(key, this.#inside(value, type.elem));
    });
    return copy;
  }

  #struct({ type, fields }: Struct): Struct {
    this.#budget.hold(fields.length + 1);
    const copies: Value[] = [];
    this.#pending.push(() => {
      type.fields.forEach((field, i) => {
        copies.push(isExported(field.name) ? this.#inside(fields[i], field.type) : zero(field.type));
      });
    });
    return new Struct(type, copies);
  }
}
