/**
 * Looks at sinks, a few at a time: each costs a request to the API server, which lists and deliveries need as well.
 * With ten thousand notifications a first list would otherwise keep everything else waiting for minutes. What has
 * just been created or changed goes before what was there and what is only looked at again.
 */
export class Looks {
  readonly #width: number;
  readonly #urgent: (() => Promise<void>)[] = [];
  readonly #patient: (() => Promise<void>)[] = [];
  #underWay = 0;

  /** `width`: how many are under way at once. */
  constructor(width: number) {
    this.#width = width;
  }

  /** Queues a look, which must not reject. */
  add(look: () => Promise<void>, urgent: boolean): void {
    (urgent ? this.#urgent : this.#patient).push(look);
    this.#pump();
  }

  /** Forgets what has not begun. */
  clear(): void {
    this.#urgent.length = 0;
    this.#patient.length = 0;
  }

  #pump(): void {
    while (this.#underWay < this.#width) {
      const look = this.#urgent.shift() ?? this.#patient.shift();
      if (look === undefined) return;
      this.#underWay++;
      void look().finally(() => {
        this.#underWay--;
        this.#pump();
      });
    }
  }
}
