import type { Clock } from '../clock.ts';

/** A clock that the test advances. Timers fire in `advance`, in the order of their time. */
export class ManualClock implements Clock {
  #now: number;
  #elapsed = 0;
  #next = 0;
  readonly #timers = new Map<number, { at: number; run: () => void }>();
  /** The result of `random()`. A test may change it. */
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

  /** Milliseconds until the next timer fires; undefined without a timer. */
  get nextIn(): number | undefined {
    const next = Math.min(...[...this.#timers.values()].map((timer) => timer.at));
    return Number.isFinite(next) ? next - this.#elapsed : undefined;
  }

  /** Advances both clocks. Fires due timers, and lets promises settle between them. */
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
      // After `pass` a timer is late.
      this.#move(Math.max(timer.at, this.#elapsed));
      timer.run();
    }
    this.#move(end);
    await settle();
  }

  /** Advances the time without firing timers, like a busy event loop. */
  pass(ms: number): void {
    this.#move(this.#elapsed + ms);
  }

  /** A jump of only the wall clock, like a correction by NTP. */
  jump(ms: number): void {
    this.#now += ms;
  }

  #move(to: number): void {
    this.#now += to - this.#elapsed;
    this.#elapsed = to;
  }
}

/** Runs everything that is due (promises, immediates). Work in slices needs more turns of the event loop. */
export async function settle(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
