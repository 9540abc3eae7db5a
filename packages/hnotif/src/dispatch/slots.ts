/** A counting semaphore per key, first come first served: the limit of requests in flight per origin. */
export class Slots {
  readonly #limit: number;
  readonly #keys = new Map<string, { held: number; waiting: Set<() => void> }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True once a slot of `key` is held: at once, or as a promise. False when `signal` aborted the wait: nothing is held. */
  acquire(key: string, signal: AbortSignal): true | Promise<boolean> {
    let entry = this.#keys.get(key);
    if (entry === undefined) this.#keys.set(key, (entry = { held: 0, waiting: new Set() }));
    if (entry.held < this.#limit) {
      entry.held++;
      return true;
    }
    const { waiting } = entry;
    return new Promise<boolean>((resolve) => {
      const granted = (): void => {
        signal.removeEventListener('abort', aborted);
        resolve(true);
      };
      const aborted = (): void => {
        waiting.delete(granted);
        resolve(false);
      };
      waiting.add(granted);
      signal.addEventListener('abort', aborted, { once: true });
    });
  }

  /** Gives a held slot to the one who waits longest, or back. */
  release(key: string): void {
    const entry = this.#keys.get(key);
    if (entry === undefined) return;
    const [next] = entry.waiting;
    if (next !== undefined) {
      entry.waiting.delete(next);
      next();
    } else if (--entry.held === 0) this.#keys.delete(key);
  }
}
