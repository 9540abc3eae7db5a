import type { Outcome } from './outcome.ts';

export interface RetryLimits {
  /** Retries after the first request of a send (the contract: up to 3). */
  readonly retries: number;
  /** Shortest wait before a retry, in milliseconds (the contract: 500 ms to 5 s, exponential). */
  readonly backoffMinMs: number;
  /** Longest wait before a retry, in milliseconds. */
  readonly backoffMaxMs: number;
  /** The shortest Retry-After that is used (milliseconds)… */
  readonly pauseMinMs: number;
  /** …and the longest one. */
  readonly pauseMaxMs: number;
}

/** The bounds for a receiver's Retry-After. */
export const PAUSES: Pick<RetryLimits, 'pauseMinMs' | 'pauseMaxMs'> = {
  pauseMinMs: 1_000,
  pauseMaxMs: 15 * 60_000,
};

/** How long nothing is sent after a receiver has throttled (milliseconds). `retryAfterMs`: the time that it named; undefined: none. */
export const pauseOf = (
  retryAfterMs: number | undefined,
  { pauseMinMs, pauseMaxMs }: typeof PAUSES = PAUSES,
): number => Math.min(Math.max(retryAfterMs ?? pauseMinMs, pauseMinMs), pauseMaxMs);

/** What to do after an attempt. `continue`: the next request of the same delivery, in its next turn. `wait`: nothing was tried. */
export type Decision =
  | { readonly kind: 'delivered' }
  | Extract<Outcome, { kind: 'continue' | 'wait' }>
  /** The same delivery again after `afterMs`. Other streams continue. */
  | { readonly kind: 'retry'; readonly afterMs: number }
  /** The receiver named a time: nothing is sent to this sink for `forMs`. The send continues after it. */
  | { readonly kind: 'pause'; readonly forMs: number; readonly reason: string; readonly message: string }
  /** The receiver will never take this message. */
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string }
  /** The send has failed. `refused`: all others would fail as well until the configuration is corrected. */
  | { readonly kind: 'over'; readonly reason: string; readonly message: string; readonly refused: boolean };

/** Decides what follows attempt number `attempt` of a send (the first is 0; pauses do not count). `random` is uniform in [0, 1). */
export function decide(outcome: Outcome, attempt: number, random: number, limits: RetryLimits): Decision {
  switch (outcome.kind) {
    case 'delivered':
      return { kind: 'delivered' };
    case 'continue':
    case 'wait':
      return outcome;
    case 'rejected-payload':
      return { kind: 'failed', reason: outcome.reason, message: outcome.message };
    case 'rejected-configuration':
      return over(outcome, true);
    case 'throttled':
      if (outcome.retryAfterMs !== undefined) {
        const forMs = pauseOf(outcome.retryAfterMs, limits);
        return { kind: 'pause', forMs, reason: outcome.reason, message: outcome.message };
      }
      break;
    case 'transient':
    case 'ambiguous':
    case 'aborted': // Not by our own stop: that needs no decision.
      break;
  }
  return attempt < limits.retries
    ? { kind: 'retry', afterMs: backoff(attempt, random, limits) }
    : over(outcome, false);
}

/**
 * Exponential with jitter: retry n waits a random time between min·2ⁿ and min·2ⁿ⁺¹, in the end between half of the maximum and all of it. So
 * a thousand streams that failed together do not retry together.
 */
export function backoff(attempt: number, random: number, limits: RetryLimits): number {
  const floor = Math.min(limits.backoffMinMs * 2 ** attempt, limits.backoffMaxMs / 2);
  return floor * (1 + random);
}

const over = (
  { reason, message }: { readonly reason: string; readonly message: string },
  refused: boolean,
): Decision => ({ kind: 'over', reason, message, refused });
