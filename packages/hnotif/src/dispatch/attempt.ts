import { deliveryId } from '@hnotif/core/lifecycle';
import type { Cause, Degradation, Outcome, Rate, ReadySink } from '@hnotif/core/sinks';
import type { Delivery } from './delivery.ts';
import { report } from './listener.ts';
import { isTooOld } from './log-entry.ts';
import type { DispatcherOptions, SinkResolution } from './options.ts';
import { expired, INTERNAL, SHUTDOWN, SUPPRESSED, UNSUBSCRIBED, type End } from './reasons.ts';
import type { SinkQueue } from './sink-queue.ts';
import { PREPARING, type Stage } from './states.ts';
import { nextStep, type Result, type Step } from './step.ts';
import type { Stream } from './stream.ts';
import { isSuperseded } from './superseded.ts';
import { withRequest } from './made-requests.ts';

type Ready = Extract<SinkResolution, { kind: 'ready' }>;

const ended = (end: End): Result => ({ kind: 'ended', end });

/** Carries out what follows an attempt. */
interface Settles {
  settle(attempt: Attempt, step: Step): void;
}

/** One attempt for the head of a stream: configuration, tokens, message, slot, request, and what follows. */
export class Attempt {
  readonly queue: SinkQueue;
  readonly stream: Stream;
  readonly head: Delivery;
  /** The number of pauses of the queue when it began. */
  readonly pauses: number;
  readonly #shared: DispatcherOptions;
  readonly #settles: Settles;
  /** Aborts when the configuration of its beginning has changed. */
  readonly #configuration: AbortSignal;
  #stage = PREPARING;
  /** The buckets of which it holds a token. */
  #tokens: readonly Rate[] | undefined;
  #hasWaited = false;
  /** Of the answer. */
  #status: number | undefined;

  constructor(shared: DispatcherOptions, settles: Settles, queue: SinkQueue, stream: Stream, head: Delivery) {
    this.#shared = shared;
    this.#settles = settles;
    this.queue = queue;
    this.stream = stream;
    this.head = head;
    this.pauses = queue.pauses;
    this.#configuration = queue.configuration;
  }

  get stage(): Stage {
    return this.#stage;
  }

  /** Makes the request, and carries out what follows. Never rejects. */
  async run(): Promise<void> {
    const { queue, head } = this;
    const { clock, listener } = this.#shared;
    if (head.attempts === 0) head.arrivedBefore = queue.arrived;
    queue.attempts.add(this);
    try {
      const next = await this.#prepare();
      // Thousands of attempts may have waited for the same secret. They continue in turns.
      if (this.#hasWaited) await queue.turn();
      const began = clock.monotonic();
      const result =
        next.kind === 'ready'
          ? this.#resultOf(next, began, await next.sink.deliver(...this.#request(next)))
          : next;
      this.#settles.settle(this, this.#stepAfter(result));
    } catch (error) {
      report(listener, 'fault', error);
      this.#settles.settle(this, { kind: 'end', end: INTERNAL, isTaken: false });
    } finally {
      this.#giveBack();
      queue.finish(this);
    }
  }

  #stepAfter(result: Result): Step {
    const { queue, stream, head, pauses } = this;
    const { clock, limits, rateLimits } = this.#shared;
    const isProbe = queue.isProbe(stream);
    // Answers to requests that were in flight together are one pause.
    const pausesBefore = Math.max(0, queue.pausesInARow - (pauses === queue.pauses ? 0 : 1));
    if (result.kind === 'tried') queue.record(result.outcome);
    const { admission, arrived } = queue;
    const isOutdated = this.#configuration.aborted;
    const facts = { head, admission, isProbe, isOutdated, arrived, pausesBefore };
    const isClosed = rateLimits.slots.isClosed;
    const step = nextStep(result, { ...facts, isClosed }, clock.random(), limits);
    if (this.#stage.kind === 'request' && result.kind === 'tried') {
      const [ended, reason] = [clock.monotonic(), reasonOf(result.outcome)];
      const why = 'wait' in step ? step.wait : undefined;
      const request = { sent: this.#stage.sent, ended, status: this.#status, reason, why };
      head.requests = withRequest(head.requests ?? [], request);
    }
    return step;
  }

  /** Gives back what it holds, when its result has been handled: the next attempt must see a pause. */
  #giveBack(): void {
    const { rateLimits } = this.#shared;
    if (this.#stage.kind === 'request') rateLimits.slots.release(this.#stage.origin, this.queue.namespace);
    else if (this.#tokens !== undefined) rateLimits.giveBack(this.#tokens);
  }

  /** Resolves the sink, and takes the tokens for one request. After a wait for tokens it starts again. */
  async #prepare(): Promise<Ready | Result> {
    const { clock, limits, rateLimits, resolve } = this.#shared;
    const { queue, stream, head } = this;
    for (;;) {
      if (isTooOld(head.entry, limits, clock.monotonic()))
        return ended(expired(head.event, stream.lastCause));
      const resolving = resolve(head);
      this.#hasWaited ||= resolving instanceof Promise;
      const resolution = resolving instanceof Promise ? await resolving : resolving;
      if (resolution.kind === 'unsubscribed') return ended(UNSUBSCRIBED);
      if (resolution.kind === 'suspended') return resolution;
      if (resolution.kind === 'unready') return { kind: 'tried', outcome: resolution.outcome, rates: [] };
      const { sink } = resolution;
      queue.coalesces = sink.coalescesProgress === true;
      if (sink.suppresses(head.event) || this.#isSuperseded) return ended(SUPPRESSED);
      if (this.#tokens !== undefined) return resolution;
      const { rates } = sink;
      const taking =
        rates.length === 0 || rateLimits.take(rates, { owner: queue.namespace, signal: queue.configuration });
      if (taking !== true) {
        this.#stage = { kind: 'tokens', sink };
        this.#hasWaited = true;
      }
      const taken = taking === true || (await taking);
      this.#stage = PREPARING;
      if (taken) this.#tokens = rates;
      // A wait that ended without tokens means that the configuration has changed, or that the sink is closed.
      else if (queue.signal.aborted) return ended(SHUTDOWN);
      if (taking === true) return resolution;
    }
  }

  /** Whether the sink wants only the newest progress of a target, and newer progress waits. False after a request: the delivery is finished. */
  get #isSuperseded(): boolean {
    const { queue, stream, head } = this;
    return queue.coalesces && head.requestCount === 0 && isSuperseded(head.entry, stream);
  }

  /** The arguments of the sink's `deliver`. */
  #request({ sink, plan, template }: Ready): Parameters<ReadySink['deliver']> {
    const { event, progress, to } = this.head;
    const id = deliveryId(event.id, to.namespace, to.notification, to.sink);
    const delivery = { id, event, sinkName: to.sink, plan, template, progress };
    const slot = (): Promise<boolean> => this.#slot(sink.origin);
    const answered = (status: number): void => void (this.#status = status);
    return [delivery, { signal: this.queue.signal, slot, answered, degraded: this.#degraded }];
  }

  #resultOf({ sink, degradation, secret }: Ready, began: number, found: Outcome): Result {
    const { clock, listener } = this.#shared;
    const { head } = this;
    const stage = this.#stage;
    if (stage.kind === 'refused') return stage;
    const outcome = found.kind === 'rejected-configuration' ? naming(secret, found) : found;
    if (stage.kind === 'request') {
      if (outcome.kind === 'delivered' && degradation !== undefined) this.#degraded(degradation);
      const { ready, sent } = stage;
      const ended = clock.monotonic();
      report(listener, 'attempted', head, outcome, { began, ready, sent, ended, entry: head.entry });
    }
    return { kind: 'tried', outcome, rates: sink.rates };
  }

  readonly #degraded = (problem: Degradation): void => {
    this.head.isDegraded = true;
    report(this.#shared.listener, 'degraded', this.head, problem);
  };

  /** Takes a request slot. False when the sink has been paused, its circuit has opened, or the dispatcher is closed. */
  async #slot(origin: string): Promise<boolean> {
    const { clock, rateLimits } = this.#shared;
    const { slots } = rateLimits;
    const { namespace } = this.queue;
    if (this.#stage.kind === 'request') return true;
    const ready = clock.monotonic();
    this.#stage = { kind: 'slot', origin };
    const isHeld = await slots.acquire(origin, namespace);
    const mayBegin = isHeld && this.queue.admits(this.stream);
    if (isHeld && !mayBegin) slots.release(origin, namespace);
    if (mayBegin) this.head.requestCount++;
    this.#stage = mayBegin
      ? { kind: 'request', origin, ready, sent: clock.monotonic() }
      : { kind: 'refused' };
    return mayBegin;
  }
}

/** A refused configuration, with the secret that has it. */
const naming = <T extends Cause>(secret: string | undefined, refused: T): T =>
  secret === undefined ? refused : { ...refused, message: `${refused.message} (secret ${secret})` };

/** `''`: nothing is wrong. */
function reasonOf(outcome: Outcome): string {
  if (outcome.kind === 'wait') return outcome.why?.reason ?? '';
  return outcome.kind === 'delivered' || outcome.kind === 'continue' ? '' : outcome.reason;
}
