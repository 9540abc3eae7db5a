import type { Clock } from '../clock.ts';

/**
 * What `make` gives, made once at a time: those who ask meanwhile, and for `forMs` milliseconds after, get the same. A failure is
 * given to those who wait for it, and not kept.
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
