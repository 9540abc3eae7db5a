import { FairQueue } from '../fair/queue.ts';

/**
 * Runs checks, a few at a time: each costs requests to the API server, which lists and deliveries need as well. Urgent checks run
 * first, and namespaces take turns.
 */
export class CheckQueue {
  readonly #width: number;
  readonly #urgent = new FairQueue<() => Promise<void>>();
  readonly #normal = new FairQueue<() => Promise<void>>();
  #running = 0;

  /** `width`: how many run at once. */
  constructor(width: number) {
    this.#width = width;
  }

  /** Queues a check for a namespace. It must not reject. */
  add(namespace: string, check: () => Promise<void>, urgent: boolean): void {
    (urgent ? this.#urgent : this.#normal).add(namespace, check);
    this.#pump();
  }

  /** Drops the checks that have not begun. */
  clear(): void {
    this.#urgent.clear();
    this.#normal.clear();
  }

  #pump(): void {
    while (this.#running < this.#width) {
      const next = this.#urgent.take() ?? this.#normal.take();
      if (next === undefined) return;
      this.#running++;
      void next.item().finally(() => {
        this.#running--;
        this.#pump();
      });
    }
  }
}
