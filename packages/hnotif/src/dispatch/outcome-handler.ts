import type { Clock } from '../clock.ts';
import type { Outcome } from '../sinks/outcome.ts';
import type { RateLimits, Rate } from '../sinks/rate.ts';
import type { CircuitCause, Cause } from './circuit-breaker.ts';
import type { Delivery } from './delivery.ts';
import type { Limits } from './limits.ts';
import { report, type DispatchListener } from './listener.ts';
import type { End } from './reasons.ts';
import { pauseFloor, probeDelay } from './delays.ts';
import { decide, type Decision } from '../sinks/retry.ts';
import type { SinkQueue } from './sink-queue.ts';
import type { SinkQueues } from './sink-queues.ts';
import type { Stream } from './stream.ts';
import { held, parked } from './sink-waits.ts';

const DELIVERED: End = { result: 'delivered' };

export interface OutcomeHandlerOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly rateLimits: RateLimits;
  readonly listener: DispatchListener;
  readonly queues: SinkQueues;
  /** The head has ended. Its stream continues. */
  readonly finish: (queue: SinkQueue, stream: Stream, head: Delivery, end: End) => void;
}

/** Does what the outcome of an attempt means for the delivery, its stream and its sink. */
export class OutcomeHandler {
  readonly #options: OutcomeHandlerOptions;

  constructor(options: OutcomeHandlerOptions) {
    this.#options = options;
  }

  /** `pauses`: the number of pauses of the queue when the attempt began. `rates`: the buckets whose tokens it used. */
  handle(
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    { outcome, pauses, rates }: { outcome: Outcome; pauses: number; rates: readonly Rate[] },
  ): void {
    const { clock, limits, finish } = this.#options;
    if (outcome.kind !== 'wait') queue.blocked = undefined;
    if ('message' in outcome && outcome.kind !== 'rejected-payload')
      queue.recordFailure(outcome, clock.monotonic());
    // While the circuit is open, nothing is retried: a probe is one request.
    const attempts = queue.circuit === undefined ? head.attempts : limits.retries;
    const decision = decide(outcome, attempts, clock.random(), limits);
    switch (decision.kind) {
      case 'delivered':
        queue.recordArrival(clock.monotonic());
        this.#succeeded(queue, head, pauses);
        finish(queue, stream, head, DELIVERED);
        return;
      case 'continue':
        // An open circuit closes when a whole message has arrived.
        if (queue.circuit === undefined) queue.widen(pauses);
        if (decision.anew) {
          head.attempts = 0;
          queue.pausesInARow = 0;
        }
        // A delivery in several requests is finished first: a thread's root without its reply is useless.
        queue.queue(stream, true);
        return;
      case 'wait':
        queue.blocked = decision.why;
        this.#hold(queue, stream, decision.forMs);
        return;
      case 'failed':
        // The receiver answered: it rejects only this message.
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

  /** The receiver named a time. Each further pause in a row is longer. */
  #pause(
    queue: SinkQueue,
    stream: Stream,
    { forMs, reason, message }: Extract<Decision, { kind: 'pause' }>,
    pauses: number,
    rates: readonly Rate[],
  ): void {
    const { clock, limits, rateLimits, queues } = this.#options;
    // Answers to requests that were in flight together are one pause.
    const isNext = pauses === queue.pauses;
    const before = Math.max(0, queue.pausesInARow - (isNext ? 0 : 1));
    const ms = Math.max(forMs, pauseFloor(before, limits));
    for (const { key } of rates) rateLimits.pause(key, ms);
    queue.queue(stream, true);
    queue.pauseFor(clock, { reason, message }, ms, () => {
      queues.schedule(queue);
    });
    if (isNext) queue.pausesInARow++;
  }

  /** The receiver takes messages: closes the circuit, or widens the queue. */
  #succeeded(queue: SinkQueue, head: Delivery, pauses: number): void {
    const { circuit } = queue;
    if (circuit === undefined) {
      queue.widen(pauses);
      return;
    }
    queue.closeCircuit();
    report(this.#options.listener, 'circuitClosed', head.to, queue.waiting - 1, circuit.openForMs);
  }

  /** A send has failed. If other deliveries arrived meanwhile, only this delivery is at fault; otherwise the sink is. */
  #over(
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    decision: Extract<Decision, { kind: 'over' }>,
  ): void {
    const { reason, message, refused } = decision;
    // A refusal takes a single request. So arrivals are counted from one refusal to the next.
    const before = (refused ? head.refusedAfter : undefined) ?? head.arrivedBefore;
    if (refused) head.refusedAfter = queue.arrived;
    if (queue.circuit !== undefined || queue.arrived === before)
      this.#openCircuit(queue, stream, head, { kind: refused ? 'quarantined' : 'parked', reason, message });
    else this.#holdStream(queue, stream, head, { reason, message });
  }

  /** The sink takes nothing: all its deliveries wait. */
  #openCircuit(queue: SinkQueue, stream: Stream, head: Delivery, cause: CircuitCause): void {
    const { clock, limits, queues, listener } = this.#options;
    const before = queue.circuit?.cause.kind;
    const isProbe = queue.isProbe(stream);
    const circuit =
      queue.circuit ??
      queue.openCircuit(clock, cause, probeDelay(0, clock.random(), limits), () => {
        queues.schedule(queue);
      });
    if (isProbe) circuit.probeFailed(cause, probeDelay(circuit.failedProbes + 1, clock.random(), limits));
    else if (cause.kind === 'quarantined') circuit.cause = cause;
    queue.queue(stream);
    report(listener, 'sendFailed', head, {
      ...parked(queue, circuit, clock.monotonic()),
      begun: before !== circuit.cause.kind,
    });
  }

  /** The sink takes other messages: only this stream waits. The delivery fails after a few sends. */
  #holdStream(queue: SinkQueue, stream: Stream, head: Delivery, why: Cause): void {
    const { clock, limits, listener, finish } = this.#options;
    if (++head.failedSends >= limits.sends) {
      finish(queue, stream, head, { ...why, result: 'failed' });
      return;
    }
    const wait = probeDelay(head.failedSends - 1, clock.random(), limits);
    this.#hold(queue, stream, wait, why);
    if (stream.heldBecause !== undefined)
      report(listener, 'sendFailed', head, { ...held(stream, stream.heldBecause), begun: false });
  }

  /** Queues the stream again after `ms`. Other streams continue. */
  #hold(queue: SinkQueue, stream: Stream, ms: number, why?: Cause): void {
    const { clock, queues } = this.#options;
    const again = (): void => {
      queue.queue(stream);
      queues.schedule(queue);
    };
    stream.hold(clock, ms, again, why);
  }
}
