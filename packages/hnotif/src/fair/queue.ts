interface Flow<T> {
  /** By member. The one that was served last is the last one. */
  readonly members: Map<unknown, Set<T>>;
  size: number;
  /** The virtual time of the owner: the costs that it has used. */
  used: number;
}

/**
 * Items that wait for one shared worker, by owner. The owner that has used least comes first (start-time fair queueing, as in the API
 * server's priority and fairness): busy owners get equal parts, and the item of any other owner waits for one item at most. The members
 * of an owner take turns. The items of one member are served in their order.
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
  readonly #memberOf: (item: T) => unknown;

  /** `memberOf`: the member of its owner that an item belongs to. Default: an owner has one member. */
  constructor(memberOf: (item: T) => unknown = () => undefined) {
    this.#memberOf = memberOf;
  }

  get size(): number {
    return this.#size;
  }

  /** The number of owners with items. */
  get owners(): number {
    return this.#flows.size;
  }

  /** The number of items of an owner. */
  waiting(owner: string): number {
    return this.#flows.get(owner)?.size ?? 0;
  }

  add(owner: string, item: T): void {
    let flow = this.#flows.get(owner);
    if (flow === undefined) {
      const used = Math.max(this.#absent.get(owner) ?? 0, this.#now);
      this.#absent.delete(owner);
      this.#flows.set(owner, (flow = { members: new Map(), size: 0, used }));
    }
    const member = this.#memberOf(item);
    const items = flow.members.get(member) ?? new Set();
    if (items.has(item)) return;
    flow.members.set(member, items.add(item));
    flow.size++;
    this.#size++;
  }

  /**
   * Takes the first eligible item of the owner whose turn it is, and charges the owner `cost`; undefined: no item is eligible. Other items
   * keep their place. `isEligible` must have no side effects. `charge` adds a cost that is known only later.
   */
  take(cost = 1, isEligible?: (item: T, owner: string) => boolean): { owner: string; item: T } | undefined {
    let found: { owner: string; item: T; flow: Flow<T> } | undefined;
    for (const [owner, flow] of this.#flows) {
      if (found !== undefined && flow.used >= found.flow.used) continue;
      for (const item of this.itemsOf(owner)) {
        if (isEligible?.(item, owner) === false) continue;
        found = { owner, item, flow };
        break;
      }
    }
    if (found === undefined) return undefined;
    const { owner, item, flow } = found;
    const member = this.#memberOf(item);
    const items = flow.members.get(member) ?? new Set();
    flow.members.delete(member);
    flow.members.set(member, items);
    this.#now = Math.max(this.#now, flow.used);
    flow.used += cost;
    this.delete(owner, item);
    return { owner, item };
  }

  /** The items of an owner; those of one member in their order. */
  *itemsOf(owner: string): Iterable<T> {
    for (const items of this.#flows.get(owner)?.members.values() ?? []) yield* items;
  }

  /** Puts items that were taken back before the others of their owner. */
  putBack(owner: string, items: readonly T[]): void {
    const later = [...this.itemsOf(owner)];
    for (const item of items) this.add(owner, item);
    const { members } = this.#flows.get(owner) ?? {};
    members?.clear();
    for (const item of [...items, ...later]) {
      const member = this.#memberOf(item);
      members?.set(member, (members.get(member) ?? new Set()).add(item));
    }
  }

  /** The items of all owners; those of one member in their order. */
  *items(): Iterable<T> {
    for (const owner of this.#flows.keys()) yield* this.itemsOf(owner);
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
    const member = this.#memberOf(item);
    const items = flow?.members.get(member);
    if (flow === undefined || items?.delete(item) !== true) return false;
    this.#size--;
    flow.size--;
    if (items.size === 0) flow.members.delete(member);
    if (flow.size === 0) {
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
