interface Flow<T> {
  items: Set<T>;
  /** The virtual time of the owner: the costs that it has used. */
  used: number;
}

/**
 * Items that wait for one shared worker, by owner. The owner that has used least comes first (start-time fair queueing, as in the API
 * server's priority and fairness): busy owners get equal parts, and the item of any other owner waits for one item at most. The items of
 * one owner are served in their order.
 *
 * `take` visits each owner: it is made for hundreds of namespaces, not for millions.
 */
export class FairQueue<T> {
  readonly #flows = new Map<string, Flow<T>>();
  /** What owners without items have used, if that is more than the present virtual time. */
  readonly #absent = new Map<string, number>();
  /** The virtual time of the owner that was served last. A new owner begins here, so that idle time gives no credit. */
  #now = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of owners with items. */
  get owners(): number {
    return this.#flows.size;
  }

  /** The number of items of an owner. */
  waiting(owner: string): number {
    return this.#flows.get(owner)?.items.size ?? 0;
  }

  add(owner: string, item: T): void {
    let flow = this.#flows.get(owner);
    if (flow === undefined) {
      const used = Math.max(this.#absent.get(owner) ?? 0, this.#now);
      this.#absent.delete(owner);
      this.#flows.set(owner, (flow = { items: new Set(), used }));
    }
    if (!flow.items.has(item)) this.#size++;
    flow.items.add(item);
  }

  /**
   * Takes the first eligible item of the owner whose turn it is, and charges the owner `cost`; undefined: no item is eligible. Other items
   * keep their place. `isEligible` must have no side effects. `charge` adds a cost that is known only later.
   */
  take(cost = 1, isEligible?: (item: T, owner: string) => boolean): { owner: string; item: T } | undefined {
    let found: { owner: string; item: T; flow: Flow<T> } | undefined;
    for (const [owner, flow] of this.#flows) {
      if (found !== undefined && flow.used >= found.flow.used) continue;
      for (const item of flow.items) {
        if (isEligible?.(item, owner) === false) continue;
        found = { owner, item, flow };
        break;
      }
    }
    if (found === undefined) return undefined;
    const { owner, item, flow } = found;
    this.#now = Math.max(this.#now, flow.used);
    flow.used += cost;
    this.delete(owner, item);
    return { owner, item };
  }

  /** The items of an owner, in their order. */
  itemsOf(owner: string): Iterable<T> {
    return this.#flows.get(owner)?.items ?? [];
  }

  /** Puts items that were taken back before the others of their owner. */
  putBack(owner: string, items: readonly T[]): void {
    const later = this.itemsOf(owner);
    for (const item of items) this.add(owner, item);
    const flow = this.#flows.get(owner);
    if (flow !== undefined) flow.items = new Set([...items, ...later]);
  }

  /** The items of all owners; those of one owner in their order. */
  *items(): Iterable<T> {
    for (const { items } of this.#flows.values()) yield* items;
  }

  /** Charges an owner more for its last item. */
  charge(owner: string, cost: number): void {
    const flow = this.#flows.get(owner);
    if (flow !== undefined) flow.used += cost;
    else this.#leave(owner, Math.max(this.#absent.get(owner) ?? 0, this.#now) + cost);
  }

  /** False: the item is not in the queue. */
  delete(owner: string, item: T): boolean {
    const flow = this.#flows.get(owner);
    if (flow?.items.delete(item) !== true) return false;
    this.#size--;
    if (flow.items.size === 0) {
      this.#flows.delete(owner);
      this.#leave(owner, flow.used);
    }
    return true;
  }

  clear(): void {
    this.#flows.clear();
    this.#absent.clear();
    this.#size = 0;
  }

  #leave(owner: string, used: number): void {
    for (const [name, at] of this.#absent) if (at <= this.#now) this.#absent.delete(name);
    if (used > this.#now) this.#absent.set(owner, used);
  }
}
