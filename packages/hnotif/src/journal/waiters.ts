interface Waiter {
  readonly resolve: () => void;
  /** Whether a request waits for it. */
  readonly isUrgent: boolean;
}

/** Promises that the next write of an entry resolves. */
export class Waiters {
  readonly #waiters: Waiter[] = [];

  get count(): number {
    return this.#waiters.length;
  }

  get isUrgent(): boolean {
    return this.#waiters.some(({ isUrgent }) => isUrgent);
  }

  wait(isUrgent: boolean): Promise<void> {
    return new Promise((resolve) => this.#waiters.push({ resolve, isUrgent }));
  }

  /** Resolves the oldest `count`. Default: all. */
  resolve(count = this.count): void {
    for (const { resolve } of this.#waiters.splice(0, count)) resolve();
  }
}
