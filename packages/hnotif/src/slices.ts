import type { Clock } from '@hnotif/core/clock';

/**
 * Long work yields after this time (milliseconds). A message passes the event loop some six times on its way, and may wait for a slice of
 * other work each time.
 */
export const SLICE_MS = 1;

/**
 * Runs the work to its end, in slices: the first one now, the others in later turns of the event loop. The work yields where other work may
 * run. Calls `took` with the time of each slice (milliseconds).
 */
export async function inSlices<T>(
  clock: Clock,
  work: Iterator<undefined, T>,
  took: (ms: number) => void = () => undefined,
): Promise<T> {
  for (let began = clock.monotonic(); ;) {
    const step = work.next();
    const ms = clock.monotonic() - began;
    if (step.done !== true && ms < SLICE_MS) continue;
    took(ms);
    if (step.done === true) return step.value;
    await sliceTurn();
    began = clock.monotonic();
  }
}

/** The same, with the first slice in a later turn. */
export async function laterInSlices<T>(
  clock: Clock,
  work: Iterator<undefined, T>,
  took?: (ms: number) => void,
): Promise<T> {
  await sliceTurn();
  return inSlices(clock, work, took);
}

/** Work in slices that is done again and again, `ms` after its last end. It may take longer than that. */
export class Repeated {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #work: () => Iterator<undefined, boolean>;
  #cancel: (() => void) | undefined;
  #isRunning = false;
  #isStopped = false;

  /** The work returns whether it is done again. */
  constructor(clock: Clock, ms: number, work: () => Iterator<undefined, boolean>) {
    this.#clock = clock;
    this.#ms = ms;
    this.#work = work;
  }

  start(): void {
    this.#isStopped = false;
    if (this.#isRunning) return;
    this.#cancel ??= this.#clock.after(this.#ms, () => {
      this.#cancel = undefined;
      this.#isRunning = true;
      void inSlices(this.#clock, this.#work()).then((again) => {
        this.#isRunning = false;
        if (again && !this.#isStopped) this.start();
      });
    });
  }

  /** Work that is running goes on, and is not done again. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

/**
 * The wait before work that took this long runs again (milliseconds; at most a second): so it takes a twentieth of the event loop, however
 * much of it there is.
 */
export const restAfter = (tookMs: number): number => Math.min(20 * tookMs, 1_000);

const waiting: (() => void)[] = [];

/** Of all long work, one slice runs in a turn of the event loop. Otherwise a turn would be as long as the slices of all of it. */
export function sliceTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(runNext);
  });
}

function runNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(runNext);
}
