import type { Clock } from '@hnotif/core/clock';

/**
 * Runs `make` once at a time. Calls during a run, and for `forMs` milliseconds after it, share its result. A failure is not kept.
 */
export function kept<T>(clock: Clock, forMs: number, make: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined;
  let until = 0;
  return () => {
    if (last !== undefined && clock.monotonic() < until) return last;
    until = Infinity;
    last = make().then(
      (value) => {
        until = clock.monotonic() + forMs;
        return value;
      },
      (error: unknown) => {
        last = undefined;
        throw error;
      },
    );
    return last;
  };
}
