import type { Clock } from '../clock.ts';

/** What is waited for after the drain, in this order. */
export type LastStep = 'roots' | 'journals' | 'statuses' | 'lease';

/** How long after the drain each step may last at the most (milliseconds); the last one's is that of all together. */
const UNTIL_MS: Readonly<Record<LastStep, number>> = {
  roots: 2_000,
  journals: 3_000,
  statuses: 4_000,
  lease: 5_000,
};

/** Roots may use what the drain has left of its time, but no more than a request takes (milliseconds): who follows waits as long. */
const ROOTS_MS = 10_000;

/** In a stop that was told to hurry each has this part of it: a second in all. */
const HURRIED = 1 / 5;

/**
 * One budget for all that a stop waits for once the drain is over: an API server that is silent keeps nobody for longer. A step
 * that ends early leaves its time to the others.
 */
export class LastWrites {
  readonly #clock: Clock;
  #from: number;
  /** When the drain would have ended at the latest. */
  #drainEnd: number;
  /** When it was first seen that it is to hurry. */
  #hurried: number | undefined;

  /** It begins now. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.#from = this.#drainEnd = clock.monotonic();
  }

  /** It begins now, or when the drain, which was to take so long (milliseconds) and began then, should have ended. */
  drained(began: number, ms: number): void {
    this.#drainEnd = began + ms;
    this.#from = Math.min(this.#clock.monotonic(), this.#drainEnd);
  }

  /**
   * Resolves when `work` has ended, or its time is over, which `hurry` shortens: then its signal aborts, and it is not waited for.
   * `work` must not reject.
   */
  async wait(
    step: LastStep,
    hurry: AbortSignal | undefined,
    work: (enough: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    const enough = new AbortController();
    const over = new Promise<void>((resolve) => {
      enough.signal.addEventListener('abort', () => {
        resolve();
      });
    });
    let cancel = (): void => undefined;
    const arm = (): void => {
      cancel();
      cancel = this.#clock.after(Math.max(0, this.#end(step, hurry) - this.#clock.monotonic()), () => {
        enough.abort();
      });
    };
    arm();
    hurry?.addEventListener('abort', arm, { once: true });
    await Promise.race([work(enough.signal), over]);
    hurry?.removeEventListener('abort', arm);
    cancel();
    // What roots took of the drain's time is no part of the budget.
    if (step === 'roots')
      this.#from = Math.max(this.#from, Math.min(this.#clock.monotonic(), this.#drainEnd));
  }

  #end(step: LastStep, hurry: AbortSignal | undefined): number {
    const most = this.#from + UNTIL_MS[step];
    const usual = step === 'roots' ? Math.max(most, Math.min(this.#drainEnd, this.#from + ROOTS_MS)) : most;
    if (hurry?.aborted !== true) return usual;
    this.#hurried ??= this.#clock.monotonic();
    return Math.min(usual, Math.max(this.#from, this.#hurried) + UNTIL_MS[step] * HURRIED);
  }
}
