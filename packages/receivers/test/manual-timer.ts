import type { After } from '../src/timer.ts';

/** A timer that goes off when the test says so. */
export class ManualTimer {
  readonly #waiting: { readonly ms: number; readonly run: () => void }[] = [];

  readonly after: After = (ms, run) => {
    const entry = { ms, run };
    this.#waiting.push(entry);
    return () => {
      const index = this.#waiting.indexOf(entry);
      if (index >= 0) this.#waiting.splice(index, 1);
    };
  };

  /** What waits: the milliseconds each was asked for. */
  get waiting(): number[] {
    return this.#waiting.map((entry) => entry.ms);
  }

  /** Lets the oldest go off. */
  fire(): void {
    this.#waiting.shift()?.run();
  }
}
