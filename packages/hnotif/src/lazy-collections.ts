/** A map that takes no memory while it is empty. Each plan has a dozen of them, and an empty `Map` takes 184 bytes. */
export class LazyMap<Key, Value> {
  #map: Map<Key, Value> | undefined;

  get size(): number {
    return this.#map?.size ?? 0;
  }

  get(key: Key): Value | undefined {
    return this.#map?.get(key);
  }

  has(key: Key): boolean {
    return this.#map?.has(key) === true;
  }

  set(key: Key, value: Value): void {
    (this.#map ??= new Map()).set(key, value);
  }

  delete(key: Key): void {
    this.#map?.delete(key);
    if (this.#map?.size === 0) this.#map = undefined;
  }

  clear(): void {
    this.#map = undefined;
  }

  keys(): Iterable<Key> {
    return this.#map?.keys() ?? [];
  }

  values(): Iterable<Value> {
    return this.#map?.values() ?? [];
  }

  [Symbol.iterator](): Iterator<[Key, Value]> {
    return (this.#map ?? [])[Symbol.iterator]();
  }
}

/** A set that takes no memory while it is empty. */
export class LazySet<Item> {
  #set: Set<Item> | undefined;

  constructor(items?: Iterable<Item>) {
    if (items !== undefined) for (const item of items) this.add(item);
  }

  get size(): number {
    return this.#set?.size ?? 0;
  }

  has(item: Item): boolean {
    return this.#set?.has(item) === true;
  }

  add(item: Item): void {
    (this.#set ??= new Set()).add(item);
  }

  delete(item: Item): void {
    this.#set?.delete(item);
    if (this.#set?.size === 0) this.#set = undefined;
  }

  clear(): void {
    this.#set = undefined;
  }

  keys(): Iterable<Item> {
    return this.#set ?? [];
  }

  [Symbol.iterator](): Iterator<Item> {
    return (this.#set ?? [])[Symbol.iterator]();
  }
}
