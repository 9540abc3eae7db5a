import type { After } from '../src/timer.ts';

/** A timer that the test fires. */
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

  /** The milliseconds of the waiting calls. */
  get waiting(): number[] {
    return this.#waiting.map((entry) => entry.ms);
  }

  /** Fires the oldest. */
  fire(): void {
    this.#waiting.shift()?.run();
  }
}
