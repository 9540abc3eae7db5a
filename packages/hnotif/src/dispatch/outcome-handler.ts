import type { Clock } from '../clock.ts';
import type { Result } from './attempt.ts';
import type { RateLimits, Rate } from '../sinks/rate.ts';
import type { CircuitCause, Cause } from './circuit-breaker.ts';
import type { Delivery } from './delivery.ts';
import type { Limits } from './limits.ts';
import { report, type DispatchListener } from './listener.ts';
import type { End } from './reasons.ts';
import { pauseFloor, probeDelay } from './delays.ts';
import { decide, type Decision } from '../sinks/retry.ts';
import type { SinkQueue } from './sink-queue.ts';
import type { Stream } from './stream.ts';
import { held, parked } from './sink-waits.ts';

const DELIVERED: End = { result: 'delivered' };

export interface OutcomeHandlerOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly rateLimits: RateLimits;
  readonly listener: DispatchListener;
  /** The head has ended. Its stream continues. */
  readonly finish: (queue: SinkQueue, stream: Stream, head: Delivery, end: End) => void;
}

/** Does what the outcome of an attempt means for the delivery, its stream and its sink. */
export class OutcomeHandler {
  readonly #options: OutcomeHandlerOptions;

  constructor(options: OutcomeHandlerOptions) {
    this.#options = options;
  }

  handle(
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    { outcome, ...tried }: Extract<Result, { kind: 'tried' }>,
  ): void {
    const { clock, limits, finish } = this.#options;
    const { pauses, rates } = tried;
    queue.record(outcome);
    // While the circuit is open, nothing is retried: a probe is one request.
    const attempts = queue.admission.kind === 'parked' ? limits.retries : head.attempts;
    const decision = decide(outcome, attempts, clock.random(), limits);
    switch (decision.kind) {
      case 'delivered':
        this.#succeeded(queue, head, pauses);
        finish(queue, stream, head, DELIVERED);
        return;
      case 'continue':
        // An open circuit closes when a whole message has arrived.
        queue.widen(pauses);
        if (decision.anew) head.attempts = 0;
        // A delivery in several requests is finished first: a thread's root without its reply is useless.
        queue.queue(stream, true);
        return;
      case 'wait':
        queue.hold(stream, decision.forMs);
        return;
      case 'failed':
        // The receiver answered: it rejects only this message.
        if (queue.isProbe(stream)) this.#succeeded(queue, head, pauses);
        finish(queue, stream, head, { ...decision, result: 'failed' });
        return;
      case 'retry':
        head.attempts++;
        queue.hold(stream, decision.afterMs);
        return;
      case 'over':
        head.attempts = 0;
        this.#over(queue, stream, head, decision, tried.configuration);
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
    const { limits, rateLimits } = this.#options;
    const before = Math.max(0, queue.pausesInARow - (pauses === queue.pauses ? 0 : 1));
    const ms = Math.max(forMs, pauseFloor(before, limits));
    for (const { key } of rates) rateLimits.pause(key, ms);
    queue.queue(stream, true);
    queue.pauseFor(ms, { reason, message }, pauses);
  }

  /** The receiver takes messages: closes the circuit, or widens the queue. */
  #succeeded(queue: SinkQueue, head: Delivery, pauses: number): void {
    const { admission } = queue;
    if (admission.kind !== 'parked') {
      queue.widen(pauses);
      return;
    }
    const { clock, listener } = this.#options;
    queue.closeCircuit();
    report(listener, 'circuitClosed', head.to, queue.waiting - 1, clock.monotonic() - admission.began);
  }

  /** A send has failed. If other deliveries arrived meanwhile, only this delivery is at fault; otherwise the sink is. */
  #over(
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    decision: Extract<Decision, { kind: 'over' }>,
    configuration: AbortSignal,
  ): void {
    const { reason, message, refused } = decision;
    // A refusal takes a single request. So arrivals are counted from one refusal to the next.
    const before = (refused ? head.refusedAfter : undefined) ?? head.arrivedBefore;
    if (refused) head.refusedAfter = queue.arrived;
    const kind = refused ? 'quarantined' : 'parked';
    if (queue.admission.kind === 'parked' || queue.arrived === before)
      this.#park(queue, stream, head, { kind, reason, message }, configuration);
    else this.#holdStream(queue, stream, head, { reason, message });
  }

  /** The sink takes nothing: all its deliveries wait. */
  #park(
    queue: SinkQueue,
    stream: Stream,
    head: Delivery,
    cause: CircuitCause,
    configuration: AbortSignal,
  ): void {
    const { clock, limits, listener } = this.#options;
    const { admission } = queue;
    const failed = admission.kind === 'parked' ? admission.failedProbes + 1 : 0;
    const isNew = admission.kind === 'parked' && configuration.aborted;
    const begun = queue.park(stream, cause, isNew ? 0 : probeDelay(failed, clock.random(), limits));
    queue.queue(stream);
    const wait = parked(queue, clock.monotonic());
    if (wait !== undefined) report(listener, 'sendFailed', head, { ...wait, begun });
  }

  /** The sink takes other messages: only this stream waits. The delivery fails after a few sends. */
  #holdStream(queue: SinkQueue, stream: Stream, head: Delivery, why: Cause): void {
    const { clock, limits, listener, finish } = this.#options;
    if (++head.failedSends >= limits.sends) {
      finish(queue, stream, head, { ...why, result: 'failed' });
      return;
    }
    head.failure = why;
    queue.hold(stream, probeDelay(head.failedSends - 1, clock.random(), limits), why);
    const wait = held(stream);
    if (wait !== undefined) report(listener, 'sendFailed', head, { ...wait, begun: false });
  }
}
