import type { Outcome } from '../sinks/outcome.ts';
import type { Cause } from './circuit-breaker.ts';
import type { Limits } from './limits.ts';

/** What to do after an attempt. */
export type Decision =
  | { readonly kind: 'delivered' }
  /** The same delivery's next request, as soon as it is its turn again. */
  | { readonly kind: 'continue'; readonly anew: boolean }
  /** Again after `forMs`; nothing was tried. `why`: something that all share was not to be had. */
  | { readonly kind: 'wait'; readonly forMs: number; readonly why?: Cause | undefined }
  /** The same delivery again after `afterMs`; other streams go on. */
  | { readonly kind: 'retry'; readonly afterMs: number }
  /** The receiver named a time: nothing goes to this sink for `forMs`; the send does not end by it. */
  | { readonly kind: 'pause'; readonly forMs: number; readonly reason: string; readonly message: string }
  /** The receiver will never take this message. */
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string }
  /** The send has failed. `refused`: so will all others, until somebody mends the configuration. */
  | { readonly kind: 'over'; readonly reason: string; readonly message: string; readonly refused: boolean };

/**
 * Decides after attempt number `attempt` of a send (the first is 0; an attempt that ended in a pause is not counted).
 * `random` is uniform in [0, 1).
 */
export function decide(outcome: Outcome, attempt: number, random: number, limits: Limits): Decision {
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
        const forMs = Math.min(Math.max(outcome.retryAfterMs, limits.pauseMinMs), limits.pauseMaxMs);
        return { kind: 'pause', forMs, reason: outcome.reason, message: outcome.message };
      }
      break;
    case 'transient':
    case 'ambiguous':
    case 'aborted': // By something else than our own stop, which asks for no decision.
      break;
  }
  return attempt < limits.retries
    ? { kind: 'retry', afterMs: backoff(attempt, random, limits) }
    : over(outcome, false);
}

/**
 * Exponential with jitter: retry n waits a random time between min·2ⁿ and min·2ⁿ⁺¹, never over the maximum.
 * A thousand streams that failed together do not come back together.
 */
export function backoff(attempt: number, random: number, limits: Limits): number {
  const floor = Math.min(limits.backoffMinMs * 2 ** attempt, limits.backoffMaxMs);
  const ceiling = Math.min(floor * 2, limits.backoffMaxMs);
  return floor + random * (ceiling - floor);
}

/**
 * How long a sink is left alone after `tries` tries in a row that found it no better: doubles, a tenth more or less by chance, since
 * what failed together should not come back together.
 */
export function probeDelay(tries: number, random: number, { probeMinMs, probeMaxMs }: Limits): number {
  return Math.min(probeMinMs * 2 ** tries, probeMaxMs) * (0.9 + random * 0.2);
}

/** How long a sink is paused at least, after so many pauses in a row: a time in the past is no reason to ask each second. */
export function pauseFloor(before: number, { pauseMinMs, pauseMinInARowMs }: Limits): number {
  return Math.min(pauseMinMs * 2 ** before, Math.max(pauseMinMs, pauseMinInARowMs));
}

const over = (
  { reason, message }: { readonly reason: string; readonly message: string },
  refused: boolean,
): Decision => ({ kind: 'over', reason, message, refused });
