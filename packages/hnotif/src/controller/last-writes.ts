import type { Clock } from '@hnotif/core/clock';

/** The steps of a stop after the drain, in their order. */
export type LastStep = 'roots' | 'journals' | 'statuses' | 'lease' | 'traces';

/** When each step must have ended, from the end of the drain (milliseconds). */
const UNTIL_MS: Readonly<Record<LastStep, number>> = {
  roots: 2_000,
  journals: 3_000,
  statuses: 4_000,
  lease: 5_000,
  traces: 5_000,
};

/** Roots may also use the rest of the drain's time, but not more than one request takes (milliseconds). */
const ROOTS_MS = 10_000;

/** A hurried stop has this part of the times: a second in all. */
const HURRIED = 1 / 5;

/** One time budget for the steps after the drain, so that a silent API server cannot delay a stop. Unused time goes to the next steps. */
export class LastWrites {
  readonly #clock: Clock;
  #from: number;
  /** The deadline of the drain. */
  #drainEnd: number;
  /** When the stop began to hurry. */
  #hurried: number | undefined;

  /** The budget begins now. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.#from = this.#drainEnd = clock.monotonic();
  }

  /** The drain is over. The budget begins now, or at the drain's deadline, `began + ms`, if that has passed. */
  drained(began: number, ms: number): void {
    this.#drainEnd = began + ms;
    this.#from = Math.min(this.#clock.monotonic(), this.#drainEnd);
  }

  /** Resolves when `work` has ended or its time is over. Then its signal aborts. `hurry` shortens the time. `work` must not reject. */
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
    // The part of the drain's time that roots used does not count.
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
