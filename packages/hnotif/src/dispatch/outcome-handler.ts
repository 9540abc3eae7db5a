import type { Clock } from '../clock.ts';
import type { Outcome } from '../sinks/outcome.ts';
import type { RateLimits, Rate } from '../sinks/rate.ts';
import type { Cause, Why } from './circuit-breaker.ts';
import type { Delivery } from './delivery.ts';
import type { Limits } from './limits.ts';
import type { DispatchListener } from './listener.ts';
import type { End } from './reasons.ts';
import { decide, pauseFloor, probeDelay, type Decision } from './retry.ts';
import type { SinkQueue } from './sink-queue.ts';
import type { SinkQueues } from './sink-queues.ts';
import type { Stream } from './stream.ts';
import { held, parked } from './stalls.ts';

const DELIVERED: End = { result: 'delivered' };

export interface OutcomeHandlerOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly rateLimits: RateLimits;
  readonly listener: DispatchListener;
  readonly queues: SinkQueues;
  /** The head has ended: its stream goes on. */
  readonly finish: (queue: SinkQueue, stream: Stream, head: Delivery, end: End) => void;
}

/** What comes after an attempt: for its delivery, for its stream, and for its sink. */
export class OutcomeHandler {
  readonly #options: OutcomeHandlerOptions;

  constructor(options: OutcomeHandlerOptions) {
    this.#options = options;
  }

  /** After an attempt that began after `pauses` pauses of its queue, with tokens of these buckets. */
  follow(
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    { outcome, pauses, rates }: { outcome: Outcome; pauses: number; rates: readonly Rate[] },
  ): void {
    const { clock, limits, finish } = this.#options;
    if (outcome.kind !== 'wait') queue.blocked = undefined;
    if ('message' in outcome && outcome.kind !== 'rejected-payload') queue.fail(outcome, clock.monotonic());
    // While the circuit is open a probe is one request, and what was on its way is not repeated either.
    const attempts = queue.circuit === undefined ? head.attempts : limits.retries;
    const decision = decide(outcome, attempts, clock.random(), limits);
    switch (decision.kind) {
      case 'delivered':
        queue.arrive(clock.monotonic());
        this.#succeeded(queue, head, pauses);
        finish(queue, stream, head, DELIVERED);
        return;
      case 'continue':
        // An open circuit closes when a message has arrived, not when half of one has.
        if (queue.circuit === undefined) queue.opened(pauses);
        if (decision.anew) {
          head.attempts = 0;
          queue.resetPauses();
        }
        // What was begun is finished first: a root without its reply tells nobody anything.
        queue.queue(stream, true);
        return;
      case 'wait':
        queue.blocked = decision.why;
        this.#hold(queue, stream, decision.forMs);
        return;
      case 'failed':
        // The receiver speaks about this message alone: it is there.
        if (queue.isProbe(stream)) this.#succeeded(queue, head, pauses);
        finish(queue, stream, head, { ...decision, result: 'failed' });
        return;
      case 'retry':
        head.attempts++;
        this.#hold(queue, stream, decision.afterMs);
        return;
      case 'over':
        head.attempts = 0;
        this.#over(queue, stream, head, decision);
        return;
      case 'pause':
        this.#pause(queue, stream, decision, pauses, rates);
        return;
    }
  }

  /** The receiver named a time. Those who ask for pauses again and again are asked less and less often. */
  #pause(
    queue: SinkQueue,
    stream: Stream,
    { forMs, reason, message }: Extract<Decision, { kind: 'pause' }>,
    pauses: number,
    rates: readonly Rate[],
  ): void {
    const { clock, limits, rateLimits, queues } = this.#options;
    // Answers to requests that were under way together are one pause.
    const isNext = pauses === queue.pauses;
    const before = Math.max(0, queue.pausesInARow - (isNext ? 0 : 1));
    const ms = Math.max(forMs, pauseFloor(before, limits));
    for (const { key } of rates) rateLimits.pause(key, ms);
    queue.queue(stream, true);
    queue.pauseFor(clock, { reason, message }, ms, () => {
      queues.schedule(queue);
    });
    if (isNext) queue.pauseAgain();
  }

  /** The receiver takes messages: all may go, or the first of those that waited for it. */
  #succeeded(queue: SinkQueue, head: Delivery, pauses: number): void {
    const { circuit } = queue;
    if (circuit === undefined) {
      queue.opened(pauses);
      return;
    }
    queue.closeCircuit();
    this.#options.listener.released(head.to, queue.waiting - 1, circuit.forMs);
  }

  /** A send has failed. Whether that is the sink's fault or this delivery's, the others show. */
  #over(
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    decision: Extract<Decision, { kind: 'over' }>,
  ): void {
    const { reason, message, refused } = decision;
    // A refusal takes one request: what else arrives meanwhile is seen from one refusal to the next.
    const before = (refused ? head.refusedAfter : undefined) ?? head.arrivedBefore;
    if (refused) head.refusedAfter = queue.arrived;
    if (queue.circuit !== undefined || queue.arrived === before)
      this.#breakCircuit(queue, stream, head, { kind: refused ? 'quarantined' : 'parked', reason, message });
    else this.#suspect(queue, stream, head, { reason, message });
  }

  /** The sink takes nothing: all of it waits. */
  #breakCircuit(queue: SinkQueue, stream: Stream, head: Delivery, cause: Cause): void {
    const { clock, limits, queues, listener } = this.#options;
    const before = queue.circuit?.cause.kind;
    const isProbe = queue.isProbe(stream);
    const circuit =
      queue.circuit ??
      queue.breakCircuit(clock, cause, probeDelay(0, clock.random(), limits), () => {
        queues.schedule(queue);
      });
    if (isProbe) circuit.again(cause, probeDelay(circuit.tries + 1, clock.random(), limits));
    else if (cause.kind === 'quarantined') circuit.cause = cause;
    queue.queue(stream);
    listener.putOff(head, {
      ...parked(queue, circuit, clock.monotonic()),
      begun: before !== circuit.cause.kind,
    });
  }

  /** The sink takes other messages: this one alone waits, and not for ever. */
  #suspect(queue: SinkQueue, stream: Stream, head: Delivery, why: Why): void {
    const { clock, limits, listener, finish } = this.#options;
    if (++head.failedSends >= limits.sends) {
      finish(queue, stream, head, { ...why, result: 'failed' });
      return;
    }
    const wait = probeDelay(head.failedSends - 1, clock.random(), limits);
    this.#hold(queue, stream, wait, why);
    if (stream.suspected !== undefined)
      listener.putOff(head, { ...held(stream, stream.suspected), begun: false });
  }

  /** The stream comes again after so long; others go on. */
  #hold(queue: SinkQueue, stream: Stream, ms: number, why?: Why): void {
    const { clock, queues } = this.#options;
    const again = (): void => {
      queue.queue(stream);
      queues.schedule(queue);
    };
    stream.hold(clock, ms, again, why);
  }
}
