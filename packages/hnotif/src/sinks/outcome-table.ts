import { OWN_FAULTS, type Failure, type FailureReason } from '../transport/reply.ts';
import { redact } from '../transport/secret.ts';
import type { Outcome } from './outcome.ts';

/** A row of a receiver's table: what an answer means and what a human should do. */
export interface Row {
  readonly kind: Exclude<Outcome['kind'], 'delivered' | 'continue' | 'wait' | 'aborted'>;
  /** CamelCase, for metrics and conditions. */
  readonly reason: string;
  /** Shown while hnotif still tries and after it gave up alike: so it promises nothing. */
  readonly remedy: string;
}

/** Failures that no repetition mends. */
const CONFIGURATION: ReadonlySet<FailureReason> = new Set(['EgressRefused', 'InsecureUrl', 'InvalidRequest']);

/** After so long (milliseconds) a request comes again that could not be made for a reason of our own. */
const AGAIN_MS = 2_000;

/** The last message of a sink (by the list of its credentials) and what of it is shown: one that cannot be reached says the same each time. */
const LAST = new WeakMap<readonly string[], { readonly message: string; readonly shown: string }>();

function shownOf(message: string, secrets: readonly string[]): string {
  const last = LAST.get(secrets);
  if (last?.message === message) return last.shown;
  const shown = redact(message, secrets);
  LAST.set(secrets, { message, shown });
  return shown;
}

/** What a missing answer means at any receiver: unclear once it may have seen the request, else it may pass. */
export function outcomeOfFailure(failure: Failure, secrets: readonly string[]): Outcome {
  const { reason } = failure;
  const message = shownOf(failure.message, secrets);
  if (reason === 'Aborted' || reason === 'Closed') return { kind: 'aborted', reason, message };
  // The receiver has no part in it: it is not tried, it does not fail, and nothing is parked by it.
  if (OWN_FAULTS.has(reason)) return { kind: 'wait', forMs: AGAIN_MS, why: { reason, message } };
  if (CONFIGURATION.has(reason)) return { kind: 'rejected-configuration', reason, message };
  return { kind: failure.sent ? 'ambiguous' : 'transient', reason, message };
}
