import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock.ts';
import { OpenCircuit, type Cause, type Why } from './circuit-breaker.ts';
import type { ReadySink } from '../sinks/sink.ts';
import { Pending } from './pending.ts';
import type { Stream } from './stream.ts';

/** Of which buckets a sink takes its tokens, and whether it leaves progress out. */
export type Limited = Pick<ReadySink, 'rates' | 'coalescesProgress'>;

/**
 * One sink: its streams, whose turn it is (round robin), how many attempts are in flight, the pause the receiver asked for, and its
 * circuit breaker. After either it begins again with one request, and widens with the first success.
 */
export class SinkQueue {
  /** Namespace, notification and sink. */
  readonly key: string;
  readonly namespace: string;
  /** Those for which something waits, by plan uid. */
  readonly streams = new Map<string, Stream>();
  /** Attempts that had to wait for what they need, and may go on. */
  readonly resumed: (() => void)[] = [];
  /** Requests without an answer: of the attempts in flight those that have a permit. */
  requests = 0;
  /** Attempts that wait for tokens of their sink. */
  readonly forTokens = new Pending<Limited>();
  /** Attempts that wait for a slot, and of which origin. */
  readonly forSlots = new Pending<string>();
  /** Why the last attempt made no request, where that is not the receiver's fault; undefined: it made one. */
  blocked: Why | undefined;
  /** Whether progress that newer progress supersedes is left out, as its configuration said last. */
  coalesces = false;
  /** How many deliveries were to be sent when that was counted last (monotonic milliseconds), and had arrived by then; where it coalesces. */
  counted: { readonly at: number; readonly toSend: number; readonly arrived: number } | undefined;
  #failure: (Why & { readonly since: number }) | undefined;
  #arrivedAt = -Infinity;
  /** Since when something waits without a break (monotonic milliseconds). */
  readonly since: number;
  readonly #ready: Stream[] = [];
  readonly #width: number;
  readonly #abort = new AbortController();
  #open: number;
  #inFlight = 0;
  #pauses = 0;
  #pausedUntil = 0;
  #pause: (Why & { readonly nextAt: number }) | undefined;
  /** Pauses since something arrived last, those that were asked for at the same time counted once. */
  #pausesInARow = 0;
  #resume: (() => void) | undefined;
  #arrived = 0;
  #breaks = 0;
  #circuit: OpenCircuit | undefined;
  /** Whose head is the probe of an open circuit. */
  #probe: Stream | undefined;
  /** Ends the waits for tokens that began under the present configuration. */
  #configuration = new AbortController();

  /** `since`: now, in monotonic milliseconds. `width`: attempts in flight. */
  constructor(key: string, namespace: string, width: number, since: number) {
    this.key = key;
    this.namespace = namespace;
    this.since = since;
    this.#width = width;
    this.#open = width;
    // Each request, wait and template of the sink listens: that is no leak, as Node would warn.
    setMaxListeners(0, this.#abort.signal, this.#configuration.signal);
  }

  /** Attempts that have begun and not ended. */
  get inFlight(): number {
    return this.#inFlight;
  }

  get paused(): boolean {
    return this.#resume !== undefined;
  }

  /** How often it was paused, or its circuit opened: what a request remembers of when it began. */
  get pauses(): number {
    return this.#pauses;
  }

  /** How often its circuit has opened. */
  get breaks(): number {
    return this.#breaks;
  }

  /** Why it is paused, and until when (milliseconds since the epoch); undefined: it is not. */
  get pause(): (Why & { readonly nextAt: number }) | undefined {
    return this.paused ? this.#pause : undefined;
  }

  /** Aborts when the configuration is another one, and with `close`. */
  get configuration(): AbortSignal {
    return this.#configuration.signal;
  }

  /** Its circuit, while that is open; undefined: it is closed. */
  get circuit(): OpenCircuit | undefined {
    return this.#circuit;
  }

  /** Why the last request failed, and since when nothing has arrived (monotonic milliseconds); undefined: it did not. */
  get failure(): (Why & { readonly since: number }) | undefined {
    return this.#failure;
  }

  /** When a delivery arrived last (monotonic milliseconds). */
  get arrivedAt(): number {
    return this.#arrivedAt;
  }

  /** Deliveries that have arrived. */
  get arrived(): number {
    return this.#arrived;
  }

  /** Deliveries that wait or are being sent. */
  get waiting(): number {
    let waiting = 0;
    for (const stream of this.streams.values()) waiting += stream.waiting;
    return waiting;
  }

  /** Aborts with `close`. Each sink has its own: a signal's listeners are searched one by one. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Nothing waits, nothing flies, no pause has to be remembered. */
  get unused(): boolean {
    return this.streams.size === 0 && this.#inFlight === 0 && !this.paused;
  }

  /** Puts a stream at the end of the queue; `first` puts it in front, for a head that a pause sent back. */
  queue(stream: Stream, first = false): void {
    stream.state = 'queued';
    if (first) this.#ready.unshift(stream);
    else this.#ready.push(stream);
  }

  /** Something has come to the stream, or gone from it: it is queued, or forgotten, as it has something to send or not. */
  tidy(stream: Stream): void {
    const known = this.streams.get(stream.planUid);
    if (stream.waiting > 0) {
      if (known !== stream) this.streams.set(stream.planUid, stream);
      if (stream.state === 'idle' && stream.next !== undefined) this.queue(stream);
    } else if (known === stream) this.streams.delete(stream.planUid);
  }

  /** Begins the next stream's turn, if one waits and there is room; `finish` ends it. */
  begin(): Stream | undefined {
    if (this.paused) return undefined;
    const mayBegin =
      this.#circuit === undefined
        ? this.#inFlight < this.#open
        : this.#circuit.due && this.#probe === undefined;
    const stream = mayBegin ? this.#next() : undefined;
    if (stream === undefined) return undefined;
    stream.state = 'busy';
    this.#inFlight++;
    if (this.#circuit !== undefined) {
      this.#probe = stream;
      this.#circuit.begun();
    }
    return stream;
  }

  finish(stream: Stream): void {
    this.#inFlight--;
    if (this.#probe === stream) this.#probe = undefined;
  }

  /** Whether a stream whose turn has begun may make its request now. */
  admits(stream: Stream): boolean {
    return !this.paused && (this.#circuit === undefined || this.#probe === stream);
  }

  isProbe(stream: Stream): boolean {
    return this.#probe === stream;
  }

  /** A success of a request that began after `pauses` pauses. One from before the last pause proves nothing. */
  opened(pauses: number): void {
    if (pauses === this.#pauses) this.#open = this.#width;
  }

  /** A request has failed, at this moment (monotonic milliseconds). */
  fail({ reason, message }: Why, now: number): void {
    this.#failure = { reason, message, since: this.#failure?.since ?? now };
  }

  /** A delivery has arrived, at this moment (monotonic milliseconds). */
  arrive(now: number): void {
    this.#arrived++;
    this.#arrivedAt = now;
    this.#failure = undefined;
    this.resetPauses();
  }

  /** The receiver has taken something: the next pause is the first of its row. */
  resetPauses(): void {
    this.#pausesInARow = 0;
  }

  /** How many pauses were asked for in a row. */
  get pausesInARow(): number {
    return this.#pausesInARow;
  }

  /** One more in the row. */
  pauseAgain(): void {
    this.#pausesInARow++;
  }

  /** The configuration is another one: whatever waits for the sake of the old one is tried at once. `resumed` goes on. */
  renew(resumed: () => void): void {
    const before = this.#configuration;
    this.#configuration = new AbortController();
    setMaxListeners(0, this.#configuration.signal);
    before.abort();
    this.#circuit?.hurry();
    for (const stream of [...this.streams.values()]) stream.hurry();
    if (!this.paused) return;
    this.#resume?.();
    this.#resume = undefined;
    resumed();
  }

  /** Nothing begins for `ms`; of several pauses the one that ends last holds. */
  pauseFor(clock: Clock, why: Why, ms: number, resumed: () => void): void {
    this.#narrow();
    const until = clock.monotonic() + ms;
    if (this.paused && until <= this.#pausedUntil) return;
    this.#resume?.();
    this.#pausedUntil = until;
    this.#pause = { ...why, nextAt: clock.now() + ms };
    this.#resume = clock.after(ms, () => {
      this.#resume = undefined;
      resumed();
    });
  }

  /** Nothing begins but a probe after `ms`, and more of them, until `close`. */
  breakCircuit(clock: Clock, cause: Cause, ms: number, due: () => void): OpenCircuit {
    this.#breaks++;
    return (this.#circuit = new OpenCircuit(clock, cause, ms, due));
  }

  /** The sink takes messages again. */
  closeCircuit(): void {
    this.#narrow();
    this.#forgetCircuit();
  }

  /** The sink that was paused, or whose circuit was open, is gone. */
  forget(): void {
    this.#resume?.();
    this.#resume = undefined;
    this.#forgetCircuit();
  }

  /** Whether nothing of it will be sent until then (monotonic milliseconds): what is left waits for more than that. */
  restsUntil(deadline: number): boolean {
    if (this.requests > 0) return false;
    if (this.#circuit !== undefined || (this.paused && this.#pausedUntil > deadline)) return true;
    return (
      this.#inFlight === 0 &&
      [...this.streams.values()].every(
        ({ state, heldUntil, unkept }) =>
          (state === 'idle' && unkept === 0) || (state === 'held' && heldUntil > deadline),
      )
    );
  }

  /** Ends every timer and aborts what is in flight. */
  close(): void {
    this.forget();
    this.#abort.abort();
    this.#configuration.abort();
  }

  /** It begins again with one request. */
  #narrow(): void {
    this.#open = 1;
    this.#pauses++;
  }

  #forgetCircuit(): void {
    this.#circuit?.close();
    this.#circuit = undefined;
    this.#probe = undefined;
  }

  /** The first of the queue in which something waits: what is empty by now (it was dropped) is forgotten. */
  #next(): Stream | undefined {
    for (let stream = this.#ready.shift(); stream !== undefined; stream = this.#ready.shift()) {
      if (stream.begin() !== undefined) return stream;
      stream.state = 'idle';
      this.tidy(stream);
    }
    return undefined;
  }
}
