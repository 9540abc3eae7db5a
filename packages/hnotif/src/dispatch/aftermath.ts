import type { Clock } from '../clock.ts';
import type { Outcome } from '../sinks/outcome.ts';
import type { Permits, Rate } from '../sinks/rate.ts';
import type { Pending } from './delivery.ts';
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';
import type { End, Ledger } from './ledger.ts';
import type { Limits } from './limits.ts';
import type { Cause, Why } from './park.ts';
import { decide, pauseFloor, probeDelay, type Decision } from './retry.ts';
import { held, parked, paused } from './stall.ts';
import type { Stream } from './stream.ts';

/** A shorter pause is part of a receiver's daily life (milliseconds). */
const LOUD_MS = 10_000;

const DELIVERED: End = { result: 'delivered' };

export interface AftermathOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly permits: Permits;
  readonly ledger: Ledger;
  readonly lanes: Lanes;
  /** The head has ended: its stream goes on. */
  readonly finish: (lane: Lane, stream: Stream, head: Pending, end: End) => void;
}

/** What comes after an attempt: for its delivery, for its stream, and for its sink. */
export class Aftermath {
  readonly #options: AftermathOptions;

  constructor(options: AftermathOptions) {
    this.#options = options;
  }

  /** After an attempt that began after `pauses` pauses of its lane, with tokens of these buckets. */
  follow(
    lane: Lane,
    stream: Stream,
    head: Pending,
    { outcome, pauses, rates }: { outcome: Outcome; pauses: number; rates: readonly Rate[] },
  ): void {
    const { clock, limits, finish } = this.#options;
    // To a parked sink a probe is one request, and what was on its way is not repeated either.
    const attempts = lane.park === undefined ? head.attempts : limits.retries;
    const decision = decide(outcome, attempts, clock.random(), limits);
    switch (decision.kind) {
      case 'delivered':
        lane.arrive();
        this.#open(lane, head, pauses);
        finish(lane, stream, head, DELIVERED);
        return;
      case 'continue':
        // A sink that is parked is open when a message has arrived, not when half of one has.
        if (lane.park === undefined) lane.opened(pauses);
        if (decision.anew) {
          head.attempts = 0;
          lane.heard();
        }
        // What was begun is finished first: a root without its reply tells nobody anything.
        lane.queue(stream, true);
        return;
      case 'wait':
        this.#hold(lane, stream, decision.forMs);
        return;
      case 'failed':
        // The receiver speaks about this message alone: it is there.
        if (lane.isProbe(stream)) this.#open(lane, head, pauses);
        finish(lane, stream, head, { ...decision, result: 'failed' });
        return;
      case 'retry':
        head.attempts++;
        this.#hold(lane, stream, decision.afterMs);
        return;
      case 'over':
        head.attempts = 0;
        this.#over(lane, stream, head, decision);
        return;
      case 'pause':
        this.#pause(lane, stream, head, decision, pauses, rates);
        return;
    }
  }

  /** The receiver named a time. Those who ask for pauses again and again are asked less and less often. */
  #pause(
    lane: Lane,
    stream: Stream,
    head: Pending,
    { forMs, reason, message }: Extract<Decision, { kind: 'pause' }>,
    pauses: number,
    rates: readonly Rate[],
  ): void {
    const { clock, limits, permits, lanes, ledger } = this.#options;
    // Answers to requests that were under way together are one pause.
    const isNext = pauses === lane.pauses;
    const before = Math.max(0, lane.pausesInARow - (isNext ? 0 : 1));
    const ms = Math.max(forMs, pauseFloor(before, limits));
    for (const { key } of rates) permits.pause(key, ms);
    lane.queue(stream, true);
    lane.pauseFor(clock, { reason, message }, ms, () => {
      lanes.schedule(lane);
    });
    if (!isNext) return;
    const begun = lane.pauseAgain(ms > LOUD_MS);
    if (lane.pause !== undefined) ledger.paused(head, { ...paused(lane, lane.pause), begun });
  }

  /** The receiver takes messages: all may go, or the first of those that waited for it. */
  #open(lane: Lane, head: Pending, pauses: number): void {
    const { park } = lane;
    if (park === undefined) {
      lane.opened(pauses);
      return;
    }
    lane.release();
    this.#options.ledger.released(head.to, lane.waiting - 1, park.forMs);
  }

  /** A send has failed. Whether that is the sink's fault or this delivery's, the others show. */
  #over(lane: Lane, stream: Stream, head: Pending, decision: Extract<Decision, { kind: 'over' }>): void {
    const { reason, message, refused } = decision;
    // A refusal takes one request: what else arrives meanwhile is seen from one refusal to the next.
    const before = (refused ? head.refusedAfter : undefined) ?? head.arrivedBefore;
    if (refused) head.refusedAfter = lane.arrived;
    if (lane.park !== undefined || lane.arrived === before)
      this.#park(lane, stream, head, { kind: refused ? 'quarantined' : 'parked', reason, message });
    else this.#suspect(lane, stream, head, { reason, message });
  }

  /** The sink takes nothing: all of it waits. */
  #park(lane: Lane, stream: Stream, head: Pending, cause: Cause): void {
    const { clock, limits, lanes, ledger } = this.#options;
    const before = lane.park?.cause.kind;
    const isProbe = lane.isProbe(stream);
    const park =
      lane.park ??
      lane.parkFor(clock, cause, probeDelay(0, clock.random(), limits), () => {
        lanes.schedule(lane);
      });
    if (isProbe) park.again(cause, probeDelay(park.tries + 1, clock.random(), limits));
    else if (cause.kind === 'quarantined') park.cause = cause;
    lane.queue(stream);
    ledger.putOff(head, { ...parked(lane, park), begun: before !== park.cause.kind });
  }

  /** The sink takes other messages: this one alone waits, and not for ever. */
  #suspect(lane: Lane, stream: Stream, head: Pending, why: Why): void {
    const { clock, limits, ledger, finish } = this.#options;
    if (++head.failedSends >= limits.sends) {
      finish(lane, stream, head, { ...why, result: 'failed' });
      return;
    }
    const wait = probeDelay(head.failedSends - 1, clock.random(), limits);
    this.#hold(lane, stream, wait, why);
    if (stream.suspected !== undefined)
      ledger.putOff(head, { ...held(stream, stream.suspected), begun: false });
  }

  /** The stream comes again after so long; others go on. */
  #hold(lane: Lane, stream: Stream, ms: number, why?: Why): void {
    const { clock, lanes } = this.#options;
    const again = (): void => {
      lane.queue(stream);
      lanes.schedule(lane);
    };
    stream.hold(clock, ms, again, why);
  }
}
