import type { Outcome } from '../sinks/outcome.ts';
import type { Cause } from './circuit-breaker.ts';
import type { Limits } from './limits.ts';

/** What to do after an attempt. */
export type Decision =
  | { readonly kind: 'delivered' }
  /** The next request of the same delivery, in its next turn. */
  | { readonly kind: 'continue'; readonly anew: boolean }
  /** Again after `forMs`; nothing was tried. `why`: a shared resource was not available. */
  | { readonly kind: 'wait'; readonly forMs: number; readonly why?: Cause | undefined }
  /** The same delivery again after `afterMs`. Other streams continue. */
  | { readonly kind: 'retry'; readonly afterMs: number }
  /** The receiver named a time: nothing is sent to this sink for `forMs`. The send continues after it. */
  | { readonly kind: 'pause'; readonly forMs: number; readonly reason: string; readonly message: string }
  /** The receiver will never take this message. */
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string }
  /** The send has failed. `refused`: all others would fail as well until the configuration is corrected. */
  | { readonly kind: 'over'; readonly reason: string; readonly message: string; readonly refused: boolean };

/** Decides what follows attempt number `attempt` of a send (the first is 0; pauses do not count). `random` is uniform in [0, 1). */
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
    case 'aborted': // Not by our own stop: that needs no decision.
      break;
  }
  return attempt < limits.retries
    ? { kind: 'retry', afterMs: backoff(attempt, random, limits) }
    : over(outcome, false);
}

/**
 * Exponential with jitter: retry n waits a random time between min·2ⁿ and min·2ⁿ⁺¹, never over the maximum. So a thousand streams that
 * failed together do not retry together.
 */
export function backoff(attempt: number, random: number, limits: Limits): number {
  const floor = Math.min(limits.backoffMinMs * 2 ** attempt, limits.backoffMaxMs);
  const ceiling = Math.min(floor * 2, limits.backoffMaxMs);
  return floor + random * (ceiling - floor);
}

/**
 * The wait before the next probe after `tries` failed ones: doubles each time, with a random part of a tenth, so that sinks do not probe
 * together.
 */
export function probeDelay(tries: number, random: number, { probeMinMs, probeMaxMs }: Limits): number {
  return Math.min(probeMinMs * 2 ** tries, probeMaxMs) * (0.9 + random * 0.2);
}

/** The shortest pause after `before` pauses in a row. A receiver may name a time in the past again and again. */
export function pauseFloor(before: number, { pauseMinMs, pauseMinInARowMs }: Limits): number {
  return Math.min(pauseMinMs * 2 ** before, Math.max(pauseMinMs, pauseMinInARowMs));
}

const over = (
  { reason, message }: { readonly reason: string; readonly message: string },
  refused: boolean,
): Decision => ({ kind: 'over', reason, message, refused });
