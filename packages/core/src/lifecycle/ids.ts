import { hash } from 'node:crypto';
import type { DerivedEvent } from './event.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * The parts of an event's id. Every process reads them from the plan, so all processes give an event the same id.
 *
 * `fact` is a time of the plan, as written, that distinguishes the event from others of its kind, run and target:
 *
 * - Start: when the run began. That is `lastTransitionTime`, or once that is later (after an Error, a resume,
 *   the end) the start of the run's first target.
 * - ExecutionProgress: Completed and Failed have the target's `finishedAt`; Running its `startedAt`, or after a retry, which
 *   leaves the target's times as they were, `lastRetryTime`; Pending `lastRetryTime`; Aborted the same as Running, and where
 *   the target has not run, the start of the run's first target.
 * - Success: the latest `finishedAt` of the run's targets, which its row in the history has as `endTime`; if there is none,
 *   `lastTransitionTime`.
 * - Failure: `lastTransitionTime`, since it began the visit of Error.
 * - Recovery: `lastRetryTime`.
 * - PhaseChange: `lastTransitionTime`; after a retry, which leaves Error without writing that, `lastRetryTime`.
 *
 * A time distinguishes an event only if it is newer than all times used before (`high-water-marks.ts`, `reported-states.ts`), to the second: Kubernetes
 * writes whole seconds. Otherwise `fact` is `''`, and the journal's epoch and the event's number are part of the id. Examples:
 *
 * - events of a plan whose operator does not write the time;
 * - a second event of the same kind (and target and state, or phase) in one second, and what comes while the operator's
 *   clock is behind its own earlier times;
 * - a target that lost its job and goes back to Pending without a retry, and the Running after it;
 * - a Recovery whose retry the plan no longer shows, and a Success that only the next run's beginning shows, without a new row in the
 *   history;
 * - a Success that follows another one without a target having run in between;
 * - a target that was aborted before any had started, that the plan lists twice, or that comes into a run late;
 * - events with a time from before a silent baseline: another process may have reported them.
 */
export interface EventIdentity {
  readonly planUid: string;
  readonly kind: string;
  readonly cycle: string;
  readonly operation: string;
  /** ExecutionProgress only, else `''`. */
  readonly target: string;
  /** ExecutionProgress only, else `''`. */
  readonly executor: string;
  /** ExecutionProgress only, else `''`. */
  readonly state: string;
  /** PhaseChange only, else `''`: in other events it depends on the time of the observation. */
  readonly previousPhase: string;
  /** PhaseChange only, else `''`. */
  readonly phase: string;
  readonly fact: string;
  /** Random per journal: a new journal never repeats ids of an old one. `''` with a `fact`. */
  readonly epoch: string;
  /** 0 with a `fact`. */
  readonly seq: number;
}

/** An event's id: 52 characters of `a-z2-7`, the SHA-256 of its identity in base32 (RFC 4648, lower case, unpadded). */
export const eventId = (event: EventIdentity): string =>
  digest([
    event.planUid,
    event.kind,
    event.cycle,
    event.operation,
    event.target,
    event.executor,
    event.state,
    event.previousPhase,
    event.phase,
    event.fact,
    event.epoch,
    event.seq,
  ]);

export function idOf(event: Omit<DerivedEvent, 'targets'>): string {
  const { planUid, kind, cycle, operation, targetExecution, fact = '', epoch = '' } = event;
  const isChange = kind === 'PhaseChange';
  return eventId({
    planUid,
    kind,
    cycle,
    operation,
    target: targetExecution?.name ?? '',
    executor: targetExecution?.executor ?? '',
    state: targetExecution?.state ?? '',
    previousPhase: isChange ? event.previousPhase : '',
    phase: isChange ? event.phase : '',
    fact,
    epoch: fact === '' ? epoch : '',
    seq: fact === '' ? event.seq : 0,
  });
}

/**
 * The id of one event's delivery to one sink, in the form of `eventId`: the same for every attempt and every owner.
 * Safe in a header, and as `webhook-id`, which Standard Webhooks forbids a full stop.
 */
export const deliveryId = (event: string, namespace: string, notification: string, sink: string): string =>
  digest([event, namespace, notification, sink]);

/** JSON is the encoding because it is unambiguous: no two lists of fields are the same text. */
const digest = (fields: readonly (string | number)[]): string =>
  base32(hash('sha256', JSON.stringify(fields), 'binary'));

/** A buffer for the letters: building a string letter by letter would allocate one for each. */
const LETTERS = Buffer.alloc(52);
const CODES = Buffer.from(ALPHABET);

/** 32 bytes are 51 letters and one more bit. A binary string is four times as fast as a buffer here. */
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
