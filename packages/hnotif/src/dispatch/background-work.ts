import { SLICE_MS, type Clock } from '../clock.ts';

/** Runs long tasks in short slices between turns of the event loop, one task after the other. A task is a generator that yields often. */
export class BackgroundWork {
  readonly #clock: Clock;
  readonly #tasks: Iterator<undefined>[] = [];
  #scheduled = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs the first slice now. */
  run(task: Iterator<undefined>): void {
    if (!this.#slice(task)) this.later(task);
  }

  /** Runs the first slice in a later turn. */
  later(task: Iterator<undefined>): void {
    this.#tasks.push(task);
    this.#schedule();
  }

  /** Whether the task is done. */
  #slice(task: Iterator<undefined>): boolean {
    const end = this.#clock.monotonic() + SLICE_MS;
    for (;;) {
      if (task.next().done === true) return true;
      if (this.#clock.monotonic() >= end) return false;
    }
  }

  #schedule(): void {
    if (this.#scheduled || this.#tasks.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const [first] = this.#tasks;
      if (first !== undefined && this.#slice(first)) this.#tasks.shift();
      this.#schedule();
    });
  }
}
