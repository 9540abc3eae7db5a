export interface FairQueueOptions<T> {
  /** The part of its owner that an item belongs to, such as a sink of a namespace. It never changes. Default: an owner has one part. */
  readonly partOf?: (item: T) => unknown;
}

interface Flow<T> {
  readonly owner: string;
  /** The items by part. The part whose turn it is comes first. No part is empty. */
  readonly parts: Map<unknown, Set<T>>;
  /** The number of items. */
  size: number;
  /** The virtual time of the owner: the costs that it has used. */
  used: number;
}

/**
 * Items that wait for one shared worker, by owner. The owner that has used least comes first (start-time fair queueing, as in the API
 * server's priority and fairness): busy owners get equal shares, and the item of any other owner waits for one item at most.
 *
 * Within an owner its parts take turns, one item each (round robin), whatever the items cost. The items of one part are served in their
 * order.
 *
 * `take` visits each owner: it is made for hundreds of namespaces, not for millions.
 */
export class FairQueue<T extends NonNullable<unknown>> {
  readonly #partOf: ((item: T) => unknown) | undefined;
  readonly #flows = new Map<string, Flow<T>>();
  /** What owners without items have used, if that is more than the present virtual time. */
  readonly #absent = new Map<string, number>();
  /** The virtual time of the owner that was served last. A new owner begins here, so that idle time gives no credit. */
  #now = 0;
  #size = 0;

  constructor({ partOf }: FairQueueOptions<T> = {}) {
    this.#partOf = partOf;
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

  /** The number of parts of an owner that have items. */
  parts(owner: string): number {
    return this.#flows.get(owner)?.parts.size ?? 0;
  }

  add(owner: string, item: T): void {
    let flow = this.#flows.get(owner);
    if (flow === undefined) {
      const used = Math.max(this.#absent.get(owner) ?? 0, this.#now);
      this.#absent.delete(owner);
      this.#flows.set(owner, (flow = { owner, parts: new Map(), size: 0, used }));
    }
    const part = this.#partOf?.(item);
    let items = flow.parts.get(part);
    if (items === undefined) flow.parts.set(part, (items = new Set()));
    if (items.has(item)) return;
    items.add(item);
    flow.size++;
    this.#size++;
  }

  /**
   * Takes the first eligible item of the owner whose turn it is, and charges the owner `cost`; undefined: no item is eligible. Other items
   * keep their place. `isEligible` must have no side effects. `charge` adds a cost that is known only later.
   */
  take(cost = 1, isEligible?: (item: T, owner: string) => boolean): { owner: string; item: T } | undefined {
    let item: T | undefined;
    let of: Flow<T> | undefined;
    for (const flow of this.#flows.values()) {
      if (of !== undefined && flow.used >= of.used) continue;
      const first = firstOf(flow, isEligible);
      if (first === undefined) continue;
      item = first;
      of = flow;
    }
    if (item === undefined || of === undefined) return undefined;
    const { owner, used } = of;
    // Owners that came before, and have no eligible item, keep one turn. Otherwise they would save up all turns that they cannot take.
    if (isEligible !== undefined)
      for (const flow of this.#flows.values()) if (flow.used < used - cost) flow.used = used - cost;
    this.takeItem(owner, item, cost);
    return { owner, item };
  }

  /** Takes an item that another queue has chosen, and charges its owner as `take` does. */
  takeItem(owner: string, item: T, cost = 1): void {
    const flow = this.#flows.get(owner);
    const part = this.#partOf?.(item);
    const items = flow?.parts.get(part);
    if (flow === undefined || items?.has(item) !== true) return;
    this.#now = Math.max(this.#now, flow.used);
    flow.used += cost;
    // The other parts come first now.
    if (flow.parts.size > 1) {
      flow.parts.delete(part);
      flow.parts.set(part, items);
    }
    this.delete(owner, item);
  }

  /** The items of an owner, part by part; those of one part in their order. */
  itemsOf(owner: string): Iterable<T> {
    const flow = this.#flows.get(owner);
    return flow === undefined ? [] : itemsIn(flow);
  }

  /** Puts items that were taken back before the others of their owner. */
  putBack(owner: string, items: readonly T[]): void {
    const later = [...this.itemsOf(owner)];
    const flow = this.#flows.get(owner);
    if (flow !== undefined) {
      flow.parts.clear();
      flow.size = 0;
      this.#size -= later.length;
    }
    for (const item of [...items, ...later]) this.add(owner, item);
  }

  /** The items of all owners; those of one part in their order. */
  *items(): Iterable<T> {
    for (const flow of this.#flows.values()) yield* itemsIn(flow);
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
    const part = this.#partOf?.(item);
    const items = flow?.parts.get(part);
    if (flow === undefined || items?.delete(item) !== true) return false;
    this.#size--;
    flow.size--;
    if (items.size === 0) flow.parts.delete(part);
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

/** The first eligible item. Not by `itemsIn`: the event loop takes items all the time, and a generator takes twice as long. */
function firstOf<T>(
  { owner, parts }: Flow<T>,
  isEligible: ((item: T, owner: string) => boolean) | undefined,
): T | undefined {
  for (const items of parts.values())
    for (const item of items) if (isEligible?.(item, owner) !== false) return item;
  return undefined;
}

function* itemsIn<T>({ parts }: Flow<T>): Iterable<T> {
  for (const items of parts.values()) yield* items;
}
