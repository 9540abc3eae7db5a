import { hash } from 'node:crypto';
import type { DerivedEvent } from './event.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * What an event's id is made of: facts that every process reads from the plan itself, so that all who tell of one event
 * give it one id, whatever they remember.
 *
 * `fact` is the plan's time, as it is written, that tells the event apart from the others of its kind, run and target:
 *
 * - Start: when the run began. That is `lastTransitionTime`, or once that is the time of something later (an Error, a
 *   resume, the end) the start of the run's first target.
 * - ExecutionProgress: Completed and Failed have the target's `finishedAt`; Running its `startedAt`, or after a retry, which
 *   leaves the target's times as they were, `lastRetryTime`; Pending `lastRetryTime`; Aborted the same as Running, and where
 *   the target has not run, the start of the run's first target.
 * - Success: the latest `finishedAt` of the run's targets, which its row in the history has as `endTime`; if there is none,
 *   `lastTransitionTime`.
 * - Failure: `lastTransitionTime`, since it began the visit of Error.
 * - Recovery: `lastRetryTime`.
 * - PhaseChange: `lastTransitionTime`; out of Error by a retry, which does not write that, `lastRetryTime`.
 *
 * A time tells an event apart only if it is newer than all that did so before it (`high-water-marks.ts`, `reported-states.ts`), to the second: Kubernetes
 * writes whole ones. Else the facts do not tell two events of the plan apart, `fact` is `''`, and the journal's epoch and
 * the event's number join. These are:
 *
 * - events of a plan whose operator does not write the time;
 * - a second event of the same kind (and target and state, or phase) in one second, and what comes while the operator's
 *   clock is behind its own earlier times;
 * - a target that goes back to Pending without a retry, for it lost its job, and the Running after it;
 * - a Recovery whose retry the plan had forgotten when it was seen, and a Success that shows only by the next run's
 *   beginning, without a new row in the history;
 * - a Success that follows another one without a target having run in between;
 * - a target that was aborted before any had started, that the plan lists twice, or that comes into a run late;
 * - what a plan already had a time for when it was met without a journal (a silent baseline): another process may have
 *   told of it.
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
  /** PhaseChange only, else `''`: of other events the observer's moment decides. */
  readonly previousPhase: string;
  /** PhaseChange only, else `''`. */
  readonly phase: string;
  readonly fact: string;
  /** Random per journal, so that a journal that is begun anew never repeats the ids of the one before; `''` with a `fact`. */
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

/** The id of an event that was derived. */
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
