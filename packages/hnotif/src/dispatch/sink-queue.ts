import { setMaxListeners } from 'node:events';
import { momentOf, type Clock } from '@hnotif/core/clock';
import type { Cause, Outcome } from '@hnotif/core/sinks';
import { BUSY, IDLE, later, pauseOf, QUEUED } from './states.ts';
import type { Admission, CircuitCause, Pause, Stage } from './states.ts';
import type { Stream } from './stream.ts';

/** Lets queues begin what they may, in their turns. */
export interface Turns {
  schedule(queue: SinkQueue): void;
  /** An attempt has ended. */
  ended(queue: SinkQueue): void;
}

/** An attempt, as its queue sees it. */
export interface RunningAttempt {
  readonly stream: Stream;
  readonly stage: Stage;
}

/** The queue of one sink: its streams in turns (round robin), the attempts in flight, and whether it may send. */
export class SinkQueue {
  /** Namespace, notification and sink. */
  readonly key: string;
  readonly namespace: string;
  /** When it was made (monotonic milliseconds). It lives as long as deliveries wait. */
  readonly since: number;
  /** The streams with deliveries that wait, by plan uid. */
  readonly streams = new Map<string, Stream>();
  /** Attempts that have begun and not ended. */
  readonly attempts = new Set<RunningAttempt>();
  /** Whether superseded progress is omitted, by the last known configuration. */
  coalesces = false;
  /** Why the last attempt made no request, when the receiver is not the reason; undefined: it made one. */
  blocked: Cause | undefined;
  /** Why the last request failed, and since when requests fail (monotonic milliseconds); undefined: it did not fail. */
  failure: (Cause & { readonly since: number }) | undefined;
  /** Deliveries that have arrived… */
  arrived = 0;
  /** …and when the last one did (monotonic milliseconds). */
  arrivedAt = -Infinity;
  /** How often it was paused or its circuit closed. A request from before the last time proves nothing. */
  pauses = 0;
  /** Pauses since the last arrival. Pauses that were requested at the same time count once. */
  pausesInARow = 0;
  /** Attempts that had to wait and may continue. */
  readonly #resumed: (() => void)[] = [];
  #admission: Admission<Stream>;
  /** Ends the wait for the end of a pause or for the next probe. Undefined: there is none, or it has ended. */
  #cancel: (() => void) | undefined;
  /** Ends the waits for tokens that began with the present configuration. */
  #configuration = aController();
  readonly #abort = aController();
  readonly #ready: Stream[] = [];
  readonly #width: number;
  readonly #clock: Clock;
  readonly #turns: Turns;

  /** `width`: attempts in flight at most. */
  constructor(key: string, namespace: string, width: number, clock: Clock, turns: Turns) {
    this.key = key;
    this.namespace = namespace;
    this.since = clock.monotonic();
    this.#width = width;
    this.#clock = clock;
    this.#turns = turns;
    this.#admission = { kind: 'open', width };
  }

  get admission(): Admission<Stream> {
    return this.#admission;
  }

  /** Aborts when the configuration changes, and on `close`. */
  get configuration(): AbortSignal {
    return this.#configuration.signal;
  }

  /** Aborts on `close`. Each sink has its own signal: removing a listener searches all listeners of a signal. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Deliveries that wait or are being sent. */
  get waiting(): number {
    return [...this.streams.values()].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Requests in flight. */
  get requests(): number {
    return [...this.attempts].filter(({ stage }) => stage.kind === 'request').length;
  }

  /** Whether it can be removed: nothing waits, nothing is in flight, it is not paused. */
  get unused(): boolean {
    return this.streams.size === 0 && this.attempts.size === 0 && this.#pause === undefined;
  }

  /** Whether nothing will be sent before `deadline` (monotonic milliseconds): all deliveries wait longer than that. */
  restsUntil(deadline: number): boolean {
    if (this.requests > 0) return false;
    if (this.#admission.kind === 'parked' || (this.#pause?.until.monotonic ?? 0) > deadline) return true;
    return this.attempts.size === 0 && [...this.streams.values()].every((each) => each.restsUntil(deadline));
  }

  /** Adds a stream at the end of the queue. `first`: at its front, for a delivery that has begun. */
  queue(stream: Stream, first = false): void {
    stream.state = QUEUED;
    if (first) this.#ready.unshift(stream);
    else this.#ready.push(stream);
  }

  /** The deliveries of a stream have changed: queues the stream when it has something to send, removes it when it is empty. */
  tidy(stream: Stream): void {
    const { planUid } = stream.log;
    const known = this.streams.get(planUid);
    if (stream.waiting > 0) {
      if (known !== stream) this.streams.set(planUid, stream);
      if (stream.state === IDLE && stream.next !== undefined) this.queue(stream);
    } else if (known === stream) this.streams.delete(planUid);
  }

  /** The next stream whose head may be sent, if there is one and room for it. Its attempt ends with `finish`. */
  begin(): Stream | undefined {
    const admission = this.#admission;
    if (admission.kind === 'open') return this.attempts.size < admission.width ? this.#next() : undefined;
    if (admission.kind === 'paused' || !this.#isDue || admission.probe !== undefined) return undefined;
    const probe = this.#next();
    this.#admission = { ...admission, probe };
    return probe;
  }

  /** An attempt continues in a turn of the sink. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#resumed.push(resolve);
      this.#turns.schedule(this);
    });
  }

  /** Continues an attempt. False: none has asked for it. */
  resume(): boolean {
    const resumed = this.#resumed.shift();
    resumed?.();
    return resumed !== undefined;
  }

  finish(attempt: RunningAttempt): void {
    const admission = this.#admission;
    this.attempts.delete(attempt);
    if (admission.kind === 'parked' && admission.probe === attempt.stream)
      this.#admission = { ...admission, probe: undefined };
    this.#turns.ended(this);
  }

  /** Whether a stream may make its request now, in its turn. */
  admits(stream: Stream): boolean {
    return this.#admission.kind === 'open' || (this.isProbe(stream) && this.#isDue);
  }

  isProbe(stream: Stream): boolean {
    return this.#admission.kind === 'parked' && this.#admission.probe === stream;
  }

  /** What an attempt shows of the receiver. */
  record(outcome: Outcome): void {
    const now = this.#clock.monotonic();
    this.blocked = outcome.kind === 'wait' ? outcome.why : undefined;
    if (outcome.kind === 'delivered') {
      this.arrived++;
      this.arrivedAt = now;
      this.failure = undefined;
    } else if ('message' in outcome && outcome.kind !== 'rejected-payload') {
      const { reason, message } = outcome;
      this.failure = { reason, message, since: this.failure?.since ?? now };
    }
    if (outcome.kind === 'delivered' || (outcome.kind === 'continue' && outcome.anew)) this.pausesInARow = 0;
  }

  /** A request that began after `pauses` pauses has succeeded. */
  widen(pauses: number): void {
    if (this.#admission.kind === 'open' && pauses === this.pauses)
      this.#admission = { kind: 'open', width: this.#width };
  }

  /** Sends nothing for `ms`. Of several pauses the one that ends last holds. `pauses`: those before the request that was answered. */
  pauseFor(ms: number, why: Cause, pauses: number): void {
    // Answers to requests that were in flight together are one pause.
    if (pauses === this.pauses) this.pausesInARow++;
    this.pauses++;
    const pause = { until: momentOf(this.#clock, ms), why };
    const before = this.#admission;
    if (this.#pause !== undefined && pause.until.monotonic <= this.#pause.until.monotonic) return;
    if (before.kind !== 'parked') this.#rest({ kind: 'paused', ...pause });
    else this.#rest({ ...before, pause, until: later(before.until, pause.until) });
  }

  /**
   * The attempt of a stream shows that the sink takes nothing: opens the circuit, or keeps it open. The next probe is due after `ms`.
   * Returns whether the circuit has opened, or its kind has changed.
   */
  park(stream: Stream, why: CircuitCause, ms: number): boolean {
    const before = this.#admission;
    const pause = this.#pause;
    const until = later(momentOf(this.#clock, ms), pause?.until);
    if (before.kind !== 'parked') {
      // A send that began before is not continued: it begins again when the circuit is closed.
      for (const { head } of this.streams.values()) if (head !== undefined) head.attempts = 0;
      const began = this.#clock.monotonic();
      this.#rest({ kind: 'parked', until, why, began, failedProbes: 0, probe: undefined, pause });
      return true;
    }
    const isProbe = before.probe === stream;
    if (isProbe) this.#rest({ ...before, until, why, failedProbes: before.failedProbes + 1 });
    // An older request does not hide a fault that a user must correct.
    else if (why.kind === 'quarantined') this.#admission = { ...before, why };
    return before.why.kind !== why.kind && (isProbe || why.kind === 'quarantined');
  }

  /** The receiver takes messages again. */
  closeCircuit(): void {
    this.pauses++;
    const pause = this.#pause;
    if (pause === undefined) this.#open();
    else this.#rest({ kind: 'paused', ...pause });
  }

  /** The hold of a stream has ended. */
  requeue(stream: Stream): void {
    this.queue(stream);
    this.#turns.schedule(this);
  }

  /** The configuration has changed: ends every wait that the old one caused. */
  configurationChanged(): void {
    this.#configuration.abort();
    this.#configuration = aController();
    for (const stream of [...this.streams.values()]) stream.endHold();
    if (this.#admission.kind === 'paused') this.#open();
    else if (this.#admission.kind === 'parked' && !this.#isDue)
      this.#rest({ ...this.#admission, until: momentOf(this.#clock), pause: undefined });
    this.#turns.schedule(this);
  }

  /** The sink is deleted: ends its pause and its circuit. */
  forget(): void {
    if (this.#admission.kind !== 'open') this.#open();
  }

  /** Ends every timer and aborts all requests. */
  close(): void {
    this.forget();
    this.#abort.abort();
    this.#configuration.abort();
  }

  get #pause(): Pause | undefined {
    return pauseOf(this.#admission, this.#clock.monotonic());
  }

  get #isDue(): boolean {
    return this.#cancel === undefined;
  }

  /** Starts again with one request. */
  #open(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#admission = { kind: 'open', width: 1 };
  }

  #rest(admission: Exclude<Admission<Stream>, { kind: 'open' }>): void {
    this.#cancel?.();
    this.#admission = admission;
    const ms = Math.max(0, admission.until.monotonic - this.#clock.monotonic());
    this.#cancel = this.#clock.after(ms, () => {
      this.#cancel = undefined;
      if (this.#admission.kind === 'paused') this.#open();
      this.#turns.schedule(this);
    });
  }

  /** The first stream with deliveries. Streams whose deliveries were dropped are removed. */
  #next(): Stream | undefined {
    for (let stream = this.#ready.shift(); stream !== undefined; stream = this.#ready.shift()) {
      const hasHead = stream.begin() !== undefined;
      stream.state = hasHead ? BUSY : IDLE;
      if (hasHead) return stream;
      this.tidy(stream);
    }
    return undefined;
  }
}

/** Each request, wait and template of a sink listens to its signal. Node would warn of a leak. */
function aController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
