import { setTimeout } from 'node:timers/promises';

/** Waits, or ends early when the signal aborts. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, signal && { signal }).catch(() => undefined);

/** What takes longer than this hangs, also on a slow machine (milliseconds). */
export const HANGS_MS = 600_000;

export interface Waiting {
  /** Named when the wait is in vain. */
  readonly what: string;
  readonly limitMs: number;
  /** Default 50. */
  readonly everyMs?: number;
}

/**
 * Resolves with the first value of `look` that is neither undefined nor false.
 *
 * @throws after the limit
 */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  { what, limitMs, everyMs = 50 }: Waiting,
): Promise<T> {
  for (const end = performance.now() + limitMs; ;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`${what} took longer than ${limitMs / 1000} s`);
    await setTimeout(everyMs);
  }
}

/** @throws when it takes longer */
export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  const stop = new AbortController();
  const late = pause(ms, stop.signal).then(() => {
    if (!stop.signal.aborted) throw new Error(`${what} took longer than ${ms / 1000} s`);
    return promise;
  });
  return Promise.race([promise, late]).finally(() => {
    stop.abort();
  });
}

/** Repeats an action with this pause until the signal aborts. */
export async function repeat(ms: number, signal: AbortSignal, act: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await act();
    await pause(ms, signal);
  }
}

const AT_ONCE = 20;

/** Calls `run` for 0 to `count` - 1, with a limited number of them at a time. */
export async function inParallel(
  count: number,
  run: (index: number) => Promise<unknown>,
  atOnce = AT_ONCE,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, worker));
}
