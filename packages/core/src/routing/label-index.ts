interface KeyEntry<T> {
  readonly any: Set<T>;
  readonly values: Map<string, Set<T>>;
}

const NONE: ReadonlySet<never> = new Set<never>();

/** Sets of items by the key and value of a label, and by the key alone. Empty sets are removed. */
export class LabelIndex<T> {
  readonly #keys = new Map<string, KeyEntry<T>>();

  /** The items with this key and value; `value` undefined: with this key. */
  get(key: string, value: string | undefined): ReadonlySet<T> {
    const entry = this.#keys.get(key);
    return (value === undefined ? entry?.any : entry?.values.get(value)) ?? NONE;
  }

  add(key: string, value: string | undefined, item: T): void {
    let entry = this.#keys.get(key);
    if (entry === undefined) this.#keys.set(key, (entry = { any: new Set(), values: new Map() }));
    if (value === undefined) entry.any.add(item);
    else {
      const items = entry.values.get(value);
      if (items === undefined) entry.values.set(value, new Set([item]));
      else items.add(item);
    }
  }

  delete(key: string, value: string | undefined, item: T): void {
    const entry = this.#keys.get(key);
    if (entry === undefined) return;
    if (value === undefined) entry.any.delete(item);
    else {
      const items = entry.values.get(value);
      items?.delete(item);
      if (items?.size === 0) entry.values.delete(value);
    }
    if (entry.any.size === 0 && entry.values.size === 0) this.#keys.delete(key);
  }
}
