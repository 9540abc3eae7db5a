/** Waiting items by key. Keys take turns, so that one with many does not hold up the others; within one it is first come, first served. */
export class Turns<T> {
  readonly #items = new Map<string, T[]>();

  add(key: string, item: T): void {
    const items = this.#items.get(key);
    if (items === undefined) this.#items.set(key, [item]);
    else items.push(item);
  }

  /** The first item of the key whose turn it is. */
  take(): T | undefined {
    for (const [key, items] of this.#items) {
      const item = items.shift();
      this.#items.delete(key);
      if (items.length > 0) this.#items.set(key, items);
      return item;
    }
    return undefined;
  }

  delete(key: string, item: T): void {
    const items = this.#items.get(key)?.filter((each) => each !== item) ?? [];
    if (items.length > 0) this.#items.set(key, items);
    else this.#items.delete(key);
  }
}
