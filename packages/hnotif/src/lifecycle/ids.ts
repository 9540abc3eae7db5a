import { hash } from 'node:crypto';
import type { LifecycleEvent } from './event.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** What an event's id is made of; the journal's epoch and seq are what tell two equal-looking events apart. */
export interface EventIdentity {
  readonly planUid: string;
  /** Random per journal: a journal that is begun anew never repeats the ids of the one before. */
  readonly epoch: string;
  readonly seq: number;
  readonly kind: string;
  readonly cycle: string;
  readonly operation: string;
  readonly run: number;
  /** ExecutionProgress only, else `''`. */
  readonly target: string;
  /** ExecutionProgress only, else `''`. */
  readonly state: string;
  readonly previousPhase: string;
  readonly phase: string;
  readonly retryCount: number;
}

/**
 * An event's id: 52 characters of `a-z2-7`, the SHA-256 of its identity in base32 (RFC 4648, lower case, unpadded).
 * A function of what happened and nothing else, so that two owners who derive from one base give one id.
 */
export const eventId = (event: EventIdentity): string =>
  digest([
    event.planUid,
    event.epoch,
    event.seq,
    event.kind,
    event.cycle,
    event.operation,
    event.run,
    event.target,
    event.state,
    event.previousPhase,
    event.phase,
    event.retryCount,
  ]);

/** The id of an event that was numbered in the journal of this epoch. */
export const idOf = (event: Omit<LifecycleEvent, 'id' | 'targets' | 'epoch'>, epoch: string): string =>
  eventId({
    planUid: event.planUid,
    epoch,
    seq: event.seq,
    kind: event.kind,
    cycle: event.cycle,
    operation: event.operation,
    run: event.run,
    target: event.targetExecution?.name ?? '',
    state: event.targetExecution?.state ?? '',
    previousPhase: event.previousPhase,
    phase: event.phase,
    retryCount: event.retryCount,
  });

/**
 * The id of one event's delivery to one sink, in the form of `eventId`: the same for every attempt and every owner.
 * Safe in a header, and as `webhook-id`, which Standard Webhooks forbids a full stop.
 */
export const deliveryId = (event: string, namespace: string, notification: string, sink: string): string =>
  digest([event, namespace, notification, sink]);

/** JSON is the encoding because it is unambiguous: no two lists of fields are the same text. */
const digest = (fields: readonly (string | number)[]): string =>
  base32(hash('sha256', JSON.stringify(fields), 'binary'));

/** Where a digest is written, letter by letter: adding letters to a text would leave one behind for each. */
const LETTERS = Buffer.alloc(52);
const CODES = Buffer.from(ALPHABET);

/** Of 32 bytes, which are 51 letters and one bit more. As a text they cost a quarter of what a buffer does. */
function base32(bytes: string): string {
  let at = 0;
  let bits = 0;
  let held = 0;
  for (let index = 0; index < bytes.length; index++) {
    held = (held << 8) | bytes.charCodeAt(index);
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      LETTERS[at++] = CODES[held >>> bits] ?? 0;
      held &= (1 << bits) - 1;
    }
  }
  LETTERS[at] = CODES[held << (5 - bits)] ?? 0;
  return LETTERS.toString('latin1');
}
