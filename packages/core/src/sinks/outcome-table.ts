import { hash } from 'node:crypto';
import { OWN_FAULTS, type Failure, type FailureReason } from '../requests/reply.ts';
import { redact } from '../redaction/redact.ts';
import type { Outcome } from './outcome.ts';

/** A row of a receiver's table: what an answer means, and what the user should do. */
export interface OutcomeRow {
  readonly kind: Exclude<Outcome['kind'], 'delivered' | 'continue' | 'wait' | 'aborted'>;
  /** CamelCase, for metrics and conditions. */
  readonly reason: string;
  /** Shown while hnotif retries and after it gave up: it must be true in both cases. */
  readonly remedy: string;
  /** The remedy for users without the thing that `remedy` names (a template, headers). Default: `remedy`. */
  readonly otherwise?: string;
}

/** The remedy for a message without a custom template. */
export const OWN_MESSAGE = 'hnotif made this message itself: please report what the answer says';

/** `has`: whether the user has the thing that the row's remedy names. */
export const remedyFor = ({ remedy, otherwise = remedy }: OutcomeRow, has: boolean): string =>
  has ? remedy : otherwise;

/** Failures that a retry does not solve. */
const CONFIGURATION_FAULTS: ReadonlySet<FailureReason> = new Set([
  'EgressRefused',
  'InsecureUrl',
  'InvalidRequest',
]);

/** When a request comes again that hnotif itself could not make (milliseconds). */
const RETRY_OWN_FAULT_MS = 2_000;

/** A cache of redacted messages: unreachable receivers give the same message each time. Keys are hashes: secrets may be large. */
const REDACTED = new Map<string, string>();
const MOST_REDACTED = 256;

function redactCached(message: string, secrets: readonly string[]): string {
  const key = hash('sha256', JSON.stringify([message, ...secrets]), 'base64');
  const known = REDACTED.get(key);
  if (known !== undefined) return known;
  const shown = redact(message, secrets);
  if (REDACTED.size >= MOST_REDACTED) REDACTED.clear();
  REDACTED.set(key, shown);
  return shown;
}

/** The outcome of a request without an answer: ambiguous if the receiver may have got it, else transient. */
export function outcomeOfFailure(failure: Failure, secrets: readonly string[]): Outcome {
  const { reason } = failure;
  const message = redactCached(failure.message, secrets);
  if (reason === 'Aborted' || reason === 'Closed') return { kind: 'aborted', reason, message };
  // Not the receiver's fault: it does not count as an attempt.
  if (OWN_FAULTS.has(reason)) return { kind: 'wait', forMs: RETRY_OWN_FAULT_MS, why: { reason, message } };
  if (CONFIGURATION_FAULTS.has(reason)) return { kind: 'rejected-configuration', reason, message };
  return { kind: failure.sent ? 'ambiguous' : 'transient', reason, message };
}
