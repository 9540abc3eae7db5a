import { FairQueue } from '../fair/queue.ts';

/**
 * Looks at sinks, a few at a time: each costs a request to the API server, which lists and deliveries need as well.
 * With ten thousand notifications a first list would otherwise keep everything else waiting for minutes. What has
 * just been created or changed goes before what was there and what is only looked at again; namespaces take turns.
 */
export class CheckQueue {
  readonly #width: number;
  readonly #urgent = new FairQueue<() => Promise<void>>();
  readonly #patient = new FairQueue<() => Promise<void>>();
  #underWay = 0;

  /** `width`: how many are under way at once. */
  constructor(width: number) {
    this.#width = width;
  }

  /** Queues a look at a namespace's sinks, which must not reject. */
  add(namespace: string, look: () => Promise<void>, urgent: boolean): void {
    (urgent ? this.#urgent : this.#patient).add(namespace, look);
    this.#pump();
  }

  /** Forgets what has not begun. */
  clear(): void {
    this.#urgent.clear();
    this.#patient.clear();
  }

  #pump(): void {
    while (this.#underWay < this.#width) {
      const next = this.#urgent.take() ?? this.#patient.take();
      if (next === undefined) return;
      this.#underWay++;
      void next.item().finally(() => {
        this.#underWay--;
        this.#pump();
      });
    }
  }
}
