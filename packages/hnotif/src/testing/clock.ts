import type { Clock } from '../clock.ts';

/** A clock whose hands the test turns. Timers fire in `advance`, in the order of their time. */
export class ManualClock implements Clock {
  #now: number;
  #elapsed = 0;
  #next = 0;
  readonly #timers = new Map<number, { at: number; run: () => void }>();
  /** What `random()` answers; a test may change it. */
  randomValue = 0.5;

  constructor(now = Date.UTC(2026, 0, 5, 20, 0, 0)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  random(): number {
    return this.randomValue;
  }

  after(ms: number, run: () => void): () => void {
    const id = this.#next++;
    this.#timers.set(id, { at: this.#elapsed + ms, run });
    return () => {
      this.#timers.delete(id);
    };
  }

  /** How many timers wait. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer fires; undefined when none waits. */
  get nextIn(): number | undefined {
    const next = Math.min(...[...this.#timers.values()].map((timer) => timer.at));
    return Number.isFinite(next) ? next - this.#elapsed : undefined;
  }

  /** Moves both clocks on, firing what is due on the way and letting promises settle between. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    for (;;) {
      await settle();
      const due = [...this.#timers].filter(([, timer]) => timer.at <= end);
      due.sort(([idA, a], [idB, b]) => a.at - b.at || idA - idB);
      const first = due[0];
      if (first === undefined) break;
      const [id, timer] = first;
      this.#timers.delete(id);
      this.#move(timer.at);
      timer.run();
    }
    this.#move(end);
    await settle();
  }

  /** Time passes while something works: no timer fires. */
  pass(ms: number): void {
    this.#move(this.#elapsed + ms);
  }

  /** A jump of the wall clock alone, as NTP or an operator makes it. */
  jump(ms: number): void {
    this.#now += ms;
  }

  #move(to: number): void {
    this.#now += to - this.#elapsed;
    this.#elapsed = to;
  }
}

/** Lets everything that is already due (promises, immediates) run. Work that is done in slices needs more turns of the event loop. */
export async function settle(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
