/** Time and randomness. They are injected, so that a test can set them. */
export interface Clock {
  /** Wall clock: milliseconds since the epoch. May jump. */
  now(): number;
  /** Monotonic clock: milliseconds since some fixed moment. Never jumps; for durations. The system's is the same in all threads. */
  monotonic(): number;
  /** Uniform in [0, 1). */
  random(): number;
  /** Calls `run` once after `ms` milliseconds, without a limit. Returns a function that cancels. Does not keep the process alive. */
  after(ms: number, run: () => void): () => void;
}

/** The longest time of `setTimeout`, some 24.8 days. With a longer one it waits for 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** `performance.now()` starts at 0 in each thread. `hrtime` does not, but it is half as fast. */
const THREAD_BEGAN = /* @__PURE__ */ threadBegan();

function threadBegan(): number {
  return Number(process.hrtime.bigint()) / 1e6 - performance.now();
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => THREAD_BEGAN + performance.now(),
  random: () => Math.random(),
  after(ms, run) {
    if (ms > LONGEST_TIMER_MS) return afterLong(ms, run);
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Waits in several timers. */
function afterLong(ms: number, run: () => void): () => void {
  let cancel = systemClock.after(LONGEST_TIMER_MS, () => {
    cancel = systemClock.after(ms - LONGEST_TIMER_MS, run);
  });
  return () => {
    cancel();
  };
}

/** The same moment by both clocks of a `Clock`, in milliseconds. */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

/** The present moment, or the one after `ms` milliseconds. */
export const momentOf = (clock: Clock, ms = 0): Moment => ({
  wall: clock.now() + ms,
  monotonic: clock.monotonic() + ms,
});

/** By how much the wall clock was set forward between two moments of one `Clock` (milliseconds); negative: it was set back. */
export const turnedBetween = (from: Moment, to: Moment): number =>
  to.wall - from.wall - (to.monotonic - from.monotonic);

/** Resolves after `ms` milliseconds, or at once when `signal` aborts. Never rejects: check the signal. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** The reason of an abort that ends a wait early. Made once: without a reason, each abort would create an error with a stack. */
export const WOKEN = new Error('the wait was ended early');

/** Aborts `controller` after `ms` milliseconds, or as soon as `enough` has aborted. Returns a function that cancels both. */
export function abortAfter(
  clock: Clock,
  ms: number,
  controller: AbortController,
  enough?: AbortSignal,
): () => void {
  const abort = (): void => {
    controller.abort();
  };
  const cancel = clock.after(ms, abort);
  if (enough?.aborted === true) abort();
  enough?.addEventListener('abort', abort, { once: true });
  return () => {
    cancel();
    enough?.removeEventListener('abort', abort);
  };
}

/** Resolves in the next turn of the event loop, after the work that is due before. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
