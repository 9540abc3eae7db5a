import { OWN_FAULTS, type Failure, type FailureReason } from '../transport/reply.ts';
import { redact } from '../transport/secret.ts';
import type { Outcome } from './outcome.ts';

/** A row of a receiver's table: what an answer means and what a human should do. */
export interface OutcomeRow {
  readonly kind: Exclude<Outcome['kind'], 'delivered' | 'continue' | 'wait' | 'aborted'>;
  /** CamelCase, for metrics and conditions. */
  readonly reason: string;
  /** Shown while hnotif still tries and after it gave up alike: so it promises nothing. */
  readonly remedy: string;
  /** The remedy where the user has not what `remedy` speaks of: no template made the message, no headers are configured. Default: `remedy`. */
  readonly otherwise?: string;
}

/** What to do for a message that no template of the user's made. */
export const OWN_MESSAGE = 'hnotif made this message itself: please report what the answer says';

/** The remedy for a user who has what the row speaks of (a template, headers), or has not. */
export const remedyFor = ({ remedy, otherwise = remedy }: OutcomeRow, has: boolean): string =>
  has ? remedy : otherwise;

/** Failures that no repetition mends. */
const CONFIGURATION_FAULTS: ReadonlySet<FailureReason> = new Set([
  'EgressRefused',
  'InsecureUrl',
  'InvalidRequest',
]);

/** After so long (milliseconds) a request comes again that could not be made for a reason of our own. */
const RETRY_OWN_FAULT_MS = 2_000;

/** What is shown of messages, by message and credentials: receivers that cannot be reached say the same each time, and to all their sinks. */
const REDACTED = new Map<string, string>();
const MOST_REDACTED = 256;

function redactCached(message: string, secrets: readonly string[]): string {
  const key = [message, ...secrets].join('\n');
  const known = REDACTED.get(key);
  if (known !== undefined) return known;
  const shown = redact(message, secrets);
  if (REDACTED.size >= MOST_REDACTED) REDACTED.clear();
  REDACTED.set(key, shown);
  return shown;
}

/** What a missing answer means at any receiver: unclear once it may have seen the request, else it may pass. */
export function outcomeOfFailure(failure: Failure, secrets: readonly string[]): Outcome {
  const { reason } = failure;
  const message = redactCached(failure.message, secrets);
  if (reason === 'Aborted' || reason === 'Closed') return { kind: 'aborted', reason, message };
  // The receiver has no part in it: it is not tried, it does not fail, and nothing is parked by it.
  if (OWN_FAULTS.has(reason)) return { kind: 'wait', forMs: RETRY_OWN_FAULT_MS, why: { reason, message } };
  if (CONFIGURATION_FAULTS.has(reason)) return { kind: 'rejected-configuration', reason, message };
  return { kind: failure.sent ? 'ambiguous' : 'transient', reason, message };
}
