interface Flow<T> {
  readonly items: Set<T>;
  /** The owner's virtual time: what it has used, in the unit of the costs. */
  used: number;
}

/**
 * Items that wait for one shared worker, by owner. The owner that has used least comes first (start-time fair queueing, as in the
 * API server's priority and fairness): owners that want much get equal parts, one that wants little waits for one item at most.
 * Within an owner it is first come, first served.
 *
 * `take` finds the owner by a look at each that waits: made for hundreds of namespaces, not for millions.
 */
export class FairQueue<T> {
  readonly #flows = new Map<string, Flow<T>>();
  /** What owners have used for which nothing waits now, where that is more than the present virtual time. */
  readonly #absent = new Map<string, number>();
  /** The virtual time of the owner that was served last. A new owner begins here, so that idle time earns no credit. */
  #now = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How many owners have items that wait. */
  get owners(): number {
    return this.#flows.size;
  }

  /** How many items of an owner wait. */
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
   * The first item of the owner whose turn it is, for which that owner is charged `cost`; undefined: none is eligible, as a
   * function without effects says. What is not eligible keeps its place. A cost that is known only afterwards is added by `charge`.
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

  /** The items of all owners; within an owner in the order of coming. */
  *items(): Iterable<T> {
    for (const { items } of this.#flows.values()) yield* items;
  }

  /** What an owner's last item has cost, beyond what was charged when it was taken. */
  charge(owner: string, cost: number): void {
    const flow = this.#flows.get(owner);
    if (flow !== undefined) flow.used += cost;
    else this.#leave(owner, Math.max(this.#absent.get(owner) ?? 0, this.#now) + cost);
  }

  /** False: it does not wait here. */
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
