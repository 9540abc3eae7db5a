/**
 * Time and randomness, as everything in hnotif that behaves by them takes them: injected, so that a test
 * turns the hands itself.
 */
export interface Clock {
  /** Wall clock: milliseconds since the epoch. May jump. */
  now(): number;
  /** Monotonic clock: milliseconds since some fixed moment. Never jumps; for durations. */
  monotonic(): number;
  /** Uniform in [0, 1). */
  random(): number;
  /** Calls `run` once after `ms` milliseconds. Returns a function that cancels. Never keeps the process alive. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Resolves after `ms` milliseconds, or at once when `signal` aborts (it never rejects: ask the signal). */
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
