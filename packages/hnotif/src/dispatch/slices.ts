import type { Clock } from '../clock.ts';

/** After so long other work has its turn (milliseconds). */
const SLICE_MS = 1;

/**
 * Long work in short slices between the turns of the event loop, one piece of work after the other. A piece of work is a generator
 * that yields wherever it may be interrupted.
 */
export class Slices {
  readonly #clock: Clock;
  readonly #work: Iterator<undefined>[] = [];
  #scheduled = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The first slice at once. */
  run(work: Iterator<undefined>): void {
    if (!this.#slice(work)) this.later(work);
  }

  /** For work that comes of long work: the first slice in the next turn. */
  later(work: Iterator<undefined>): void {
    this.#work.push(work);
    this.#schedule();
  }

  /** Whether it is done. */
  #slice(work: Iterator<undefined>): boolean {
    const end = this.#clock.monotonic() + SLICE_MS;
    for (;;) {
      if (work.next().done === true) return true;
      if (this.#clock.monotonic() >= end) return false;
    }
  }

  #schedule(): void {
    if (this.#scheduled || this.#work.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const [first] = this.#work;
      if (first !== undefined && this.#slice(first)) this.#work.shift();
      this.#schedule();
    });
  }
}
