import type { RequestWait } from '@hnotif/core/page';
import { type Cause, decide, type OnChange, type Outcome, type Rate } from '@hnotif/core/sinks';
import type { Delivery } from './delivery.ts';
import type { Limits } from './limits.ts';
import type { SinkResolution } from './options.ts';
import { DELIVERED, type End } from './reasons.ts';
import type { Admission, CircuitCause } from './states.ts';

/** The result of an attempt. */
export type Result =
  /** Send nothing more. */
  | { readonly kind: 'ended'; readonly end: End }
  /** The sink may not send now. */
  | { readonly kind: 'refused' }
  | Extract<SinkResolution, { kind: 'suspended' }>
  /** `rates`: the buckets of the sink; none if no request was possible. */
  | { readonly kind: 'tried'; readonly outcome: Outcome; readonly rates: readonly Rate[] };

/** A delivery that has not ended: why it waits after its request, for the list of its requests. */
interface Waits {
  readonly wait: RequestWait;
}

/** What follows an attempt. */
export type Step =
  /** The delivery has ended. `isTaken`: the receiver takes messages. */
  | { readonly kind: 'end'; readonly end: End; readonly isTaken: boolean }
  /** Its next request, in the next turn of the sink. `isTaken`: the one before has succeeded. `anew`: the next one has all retries. */
  | (Waits & { readonly kind: 'continue'; readonly isTaken: boolean; readonly anew: boolean })
  /** Only this stream waits for `ms`, or until the change. `attempts`: those of its send. */
  | (Waits & {
      readonly kind: 'hold';
      readonly ms: number;
      readonly attempts: number;
      readonly onChange?: OnChange | undefined;
    })
  /** The same, because its send has failed while others arrived. `refused`: the receiver refused the configuration. */
  | (Waits & { readonly kind: 'fail'; readonly ms: number; readonly why: Cause; readonly refused: boolean })
  /** The sink waits for `ms`, and so do all sinks with one of these buckets. */
  | (Waits & {
      readonly kind: 'pause';
      readonly ms: number;
      readonly why: Cause;
      readonly rates: readonly Rate[];
    })
  /** The circuit of the sink is open. The next probe is due after `ms`. */
  | (Waits & { readonly kind: 'park'; readonly ms: number; readonly why: CircuitCause })
  | Extract<Result, { kind: 'suspended' }>
  /** The process ends. The delivery stays. */
  | { readonly kind: 'stop' };

/** What the next step depends on, besides the result. */
export interface SinkFacts {
  readonly head: Pick<Delivery, 'attempts' | 'arrivedBefore' | 'refusedAfter' | 'failedSends'>;
  readonly admission: Admission<unknown>;
  /** Whether the attempt was the probe of the open circuit. */
  readonly isProbe: boolean;
  /** Whether the configuration has changed since the attempt began. */
  readonly isOutdated: boolean;
  /** Deliveries of the sink that have arrived. */
  readonly arrived: number;
  /** Pauses in a row before the attempt. */
  readonly pausesBefore: number;
  readonly isClosed: boolean;
}

type Tried = Extract<Result, { kind: 'tried' }>;

/** Decides what follows an attempt. `random` is uniform in [0, 1). */
export function nextStep(result: Result, facts: SinkFacts, random: number, limits: Limits): Step {
  const isDelivered = result.kind === 'tried' && result.outcome.kind === 'delivered';
  if (facts.isClosed && !isDelivered) return { kind: 'stop' };
  switch (result.kind) {
    case 'ended':
      return { kind: 'end', end: result.end, isTaken: false };
    case 'refused':
      return { kind: 'continue', isTaken: false, anew: false, wait: 'next' };
    case 'suspended':
      return result;
    case 'tried':
      return afterRequest(result, facts, random, limits);
  }
}

function afterRequest({ outcome, rates }: Tried, facts: SinkFacts, random: number, limits: Limits): Step {
  const { head, admission, isProbe } = facts;
  const isParked = admission.kind === 'parked';
  // While the circuit is open, nothing is retried: a probe is one request.
  const decision = decide(outcome, isParked ? limits.retries : head.attempts, random, limits);
  switch (decision.kind) {
    case 'delivered':
      return { kind: 'end', end: DELIVERED, isTaken: true };
    case 'failed':
      // The receiver answered: it rejects only this message.
      return { kind: 'end', end: { ...decision, result: 'failed' }, isTaken: isProbe };
    case 'continue':
      // An open circuit closes when a whole message has arrived.
      return { kind: 'continue', isTaken: !isParked, anew: decision.anew, wait: 'next' };
    case 'wait':
      return {
        ...{ kind: 'hold', ms: decision.forMs, attempts: head.attempts, wait: 'own' },
        onChange: decision.onChange,
      };
    case 'retry':
      return { kind: 'hold', ms: decision.afterMs, attempts: head.attempts + 1, wait: 'retry' };
    case 'pause': {
      const { forMs, reason, message } = decision;
      const ms = Math.max(forMs, pauseFloor(facts.pausesBefore, limits));
      return { kind: 'pause', ms, why: { reason, message }, rates, wait: 'paused' };
    }
    case 'over':
      return afterSend(decision, facts, random, limits);
  }
}

/** A send has failed. If other deliveries arrived meanwhile, only this delivery is at fault; otherwise the sink is. */
function afterSend(
  { reason, message, refused }: Cause & { readonly refused: boolean },
  { head, admission, isOutdated, arrived }: SinkFacts,
  random: number,
  limits: Limits,
): Step {
  const why = { reason, message };
  // A refusal takes a single request. So arrivals are counted from one refusal to the next.
  const before = (refused ? head.refusedAfter : undefined) ?? head.arrivedBefore;
  if (admission.kind === 'parked' || arrived === before) {
    const failed = admission.kind === 'parked' ? admission.failedProbes + 1 : 0;
    const ms = isOutdated && failed > 0 ? 0 : probeDelay(failed, random, limits);
    const kind = refused ? 'quarantined' : 'parked';
    return { kind: 'park', ms, why: { kind, ...why }, wait: kind };
  }
  if (head.failedSends + 1 >= limits.sends)
    return { kind: 'end', end: { ...why, result: 'failed' }, isTaken: false };
  return { kind: 'fail', ms: probeDelay(head.failedSends, random, limits), why, refused, wait: 'held' };
}

/**
 * The wait before the next probe after `failed` failed ones: doubles each time, with a random part of a tenth, so that sinks do not probe
 * together.
 */
export function probeDelay(failed: number, random: number, { probeMinMs, probeMaxMs }: Limits): number {
  return Math.min(probeMinMs * 2 ** failed, probeMaxMs) * (0.9 + random * 0.2);
}

/** The shortest pause after `before` pauses in a row. A receiver may name a time in the past again and again. */
const pauseFloor = (before: number, { pauseMinMs, pauseMinInARowMs }: Limits): number =>
  Math.min(pauseMinMs * 2 ** before, Math.max(pauseMinMs, pauseMinInARowMs));
