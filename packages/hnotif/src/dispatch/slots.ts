/** A counting semaphore per key, first come first served: the limit of requests in flight per origin. */
export class Slots {
  readonly #limit: number;
  readonly #keys = new Map<string, { held: number; waiting: ((granted: boolean) => void)[] }>();
  #closed = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True once a slot of `key` is held: at once, or as a promise. False after `close`: nothing is held. */
  acquire(key: string): boolean | Promise<boolean> {
    if (this.#closed) return false;
    let entry = this.#keys.get(key);
    if (entry === undefined) this.#keys.set(key, (entry = { held: 0, waiting: [] }));
    if (entry.held < this.#limit) {
      entry.held++;
      return true;
    }
    const { waiting } = entry;
    return new Promise((resolve) => waiting.push(resolve));
  }

  /** Gives a held slot to the one who waits longest, or back. */
  release(key: string): void {
    const entry = this.#keys.get(key);
    if (entry === undefined) return;
    const next = entry.waiting.shift();
    if (next !== undefined) next(true);
    else if (--entry.held === 0) this.#keys.delete(key);
  }

  /** Everybody who waits, and who comes later, goes without. */
  close(): void {
    this.#closed = true;
    for (const { waiting } of this.#keys.values()) for (const resolve of waiting.splice(0)) resolve(false);
  }
}
