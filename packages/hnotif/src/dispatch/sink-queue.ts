import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock.ts';
import { OpenCircuit, type CircuitCause, type Cause } from './circuit-breaker.ts';
import type { ReadySink } from '../sinks/sink.ts';
import type { Stream } from './stream.ts';

/** Attempts of a sink that wait for something before they make a request. */
class WaitCounter<About> {
  #count = 0;
  #about: About | undefined;

  /** What the last of them waits for; undefined: none waits. */
  get about(): About | undefined {
    return this.#count > 0 ? this.#about : undefined;
  }

  /** Counts an attempt while it waits for the promise. */
  async during<T>(settled: Promise<T>, about: About): Promise<T> {
    this.#about = about;
    this.#count++;
    return settled.finally(() => {
      this.#count--;
    });
  }
}

/** The buckets of a sink, and whether it omits superseded progress. */
export type SinkLimits = Pick<ReadySink, 'rates' | 'coalescesProgress'>;

/**
 * The queue of one sink: its streams in turns (round robin), the attempts in flight, the pause that the receiver requested, and the
 * circuit breaker. After a pause or an open circuit it starts with one request, and with all of them after the first success.
 */
export class SinkQueue {
  /** Namespace, notification and sink. */
  readonly key: string;
  readonly namespace: string;
  /** The streams with deliveries that wait, by plan uid. */
  readonly streams = new Map<string, Stream>();
  /** Attempts that had to wait and may continue. */
  readonly resumed: (() => void)[] = [];
  /** Requests in flight. */
  requests = 0;
  /** Attempts that wait for tokens. */
  readonly forTokens = new WaitCounter<SinkLimits>();
  /** Attempts that wait for a request slot, by origin. */
  readonly forSlots = new WaitCounter<string>();
  /** Why the last attempt made no request, when the receiver is not the reason; undefined: it made one. */
  blocked: Cause | undefined;
  /** Pauses since the last arrival. Pauses that were requested at the same time count once. */
  pausesInARow = 0;
  /** Whether superseded progress is omitted, by the last known configuration. */
  coalesces = false;
  /** For a sink that coalesces: the last count of deliveries to send, the time of the count (monotonic milliseconds), and `arrived` at that time. */
  counted: { readonly at: number; readonly toSend: number; readonly arrived: number } | undefined;
  #failure: (Cause & { readonly since: number }) | undefined;
  #arrivedAt = -Infinity;
  /** When it was made (monotonic milliseconds). It lives as long as deliveries wait. */
  readonly since: number;
  readonly #ready: Stream[] = [];
  readonly #width: number;
  readonly #abort = new AbortController();
  #open: number;
  #inFlight = 0;
  #pauses = 0;
  #pausedUntil = 0;
  #pause: (Cause & { readonly nextAt: number }) | undefined;
  #resume: (() => void) | undefined;
  #arrived = 0;
  #breaks = 0;
  #circuit: OpenCircuit | undefined;
  /** The stream whose head is the probe. */
  #probe: Stream | undefined;
  /** Ends the waits for tokens that began with the present configuration. */
  #configuration = new AbortController();

  /** `width`: attempts in flight at most. `since`: now (monotonic milliseconds). */
  constructor(key: string, namespace: string, width: number, since: number) {
    this.key = key;
    this.namespace = namespace;
    this.since = since;
    this.#width = width;
    this.#open = width;
    // Each request, wait and template of the sink listens. Node would warn of a leak.
    setMaxListeners(0, this.#abort.signal, this.#configuration.signal);
  }

  /** Attempts that have begun and not ended. */
  get inFlight(): number {
    return this.#inFlight;
  }

  get paused(): boolean {
    return this.#resume !== undefined;
  }

  /** Whether it is paused, its circuit is open, or its last request has failed. */
  get isHindered(): boolean {
    return this.paused || this.#circuit !== undefined || this.#failure !== undefined;
  }

  /** How often it was paused or its circuit opened. A request remembers the number at its beginning. */
  get pauses(): number {
    return this.#pauses;
  }

  /** How often its circuit has opened. */
  get circuitOpenings(): number {
    return this.#breaks;
  }

  /** Why it is paused, and until when (milliseconds since the epoch); undefined: it is not paused. */
  get pause(): (Cause & { readonly nextAt: number }) | undefined {
    return this.paused ? this.#pause : undefined;
  }

  /** Aborts when the configuration changes, and on `close`. */
  get configuration(): AbortSignal {
    return this.#configuration.signal;
  }

  /** The open circuit; undefined: it is closed. */
  get circuit(): OpenCircuit | undefined {
    return this.#circuit;
  }

  /** Why the last request failed, and since when requests fail (monotonic milliseconds); undefined: it did not fail. */
  get failure(): (Cause & { readonly since: number }) | undefined {
    return this.#failure;
  }

  /** When the last delivery arrived (monotonic milliseconds). */
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

  /** Aborts on `close`. Each sink has its own signal: removing a listener searches all listeners of a signal. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether it can be removed: nothing waits, nothing is in flight, it is not paused. */
  get unused(): boolean {
    return this.streams.size === 0 && this.#inFlight === 0 && !this.paused;
  }

  /** Adds a stream at the end of the queue. `first`: at its front, for a head that was sent back. */
  queue(stream: Stream, first = false): void {
    stream.state = 'queued';
    if (first) this.#ready.unshift(stream);
    else this.#ready.push(stream);
  }

  /** The deliveries of a stream have changed: queues the stream when it has something to send, removes it when it is empty. */
  tidy(stream: Stream): void {
    const known = this.streams.get(stream.planUid);
    if (stream.waiting > 0) {
      if (known !== stream) this.streams.set(stream.planUid, stream);
      if (stream.state === 'idle' && stream.next !== undefined) this.queue(stream);
    } else if (known === stream) this.streams.delete(stream.planUid);
  }

  /** Begins the turn of the next stream, if there is one and room for it. `finish` ends the turn. */
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
      this.#circuit.probeStarted();
    }
    return stream;
  }

  finish(stream: Stream): void {
    this.#inFlight--;
    if (this.#probe === stream) this.#probe = undefined;
  }

  /** Whether a stream may make its request now, in its turn. */
  admits(stream: Stream): boolean {
    return !this.paused && (this.#circuit === undefined || this.#probe === stream);
  }

  isProbe(stream: Stream): boolean {
    return this.#probe === stream;
  }

  /** A request that began after `pauses` pauses has succeeded. A request from before the last pause proves nothing. */
  widen(pauses: number): void {
    if (pauses === this.#pauses) this.#open = this.#width;
  }

  /** A request has failed. `now` in monotonic milliseconds. */
  recordFailure({ reason, message }: Cause, now: number): void {
    this.#failure = { reason, message, since: this.#failure?.since ?? now };
  }

  /** A delivery has arrived. `now` in monotonic milliseconds. */
  recordArrival(now: number): void {
    this.#arrived++;
    this.#arrivedAt = now;
    this.#failure = undefined;
    this.pausesInARow = 0;
  }

  /** The configuration has changed: ends every wait that the old one caused. `resumed` is called when a pause ends. */
  configurationChanged(resumed: () => void): void {
    const before = this.#configuration;
    this.#configuration = new AbortController();
    setMaxListeners(0, this.#configuration.signal);
    before.abort();
    this.#circuit?.probeNow();
    for (const stream of [...this.streams.values()]) stream.retryNow();
    if (!this.paused) return;
    this.#resume?.();
    this.#resume = undefined;
    resumed();
  }

  /** Begins nothing for `ms`. Of several pauses the one that ends last holds. */
  pauseFor(clock: Clock, why: Cause, ms: number, resumed: () => void): void {
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

  /** Opens the circuit: begins only probes, the first one after `ms`. */
  openCircuit(clock: Clock, cause: CircuitCause, ms: number, due: () => void): OpenCircuit {
    this.#breaks++;
    return (this.#circuit = new OpenCircuit(clock, cause, ms, due));
  }

  /** The sink takes messages again. */
  closeCircuit(): void {
    this.#narrow();
    this.#forgetCircuit();
  }

  /** The sink is deleted: ends its pause and its circuit. */
  forget(): void {
    this.#resume?.();
    this.#resume = undefined;
    this.#forgetCircuit();
  }

  /** Whether nothing will be sent before `deadline` (monotonic milliseconds): all deliveries wait longer than that. */
  restsUntil(deadline: number): boolean {
    if (this.requests > 0) return false;
    if (this.#circuit !== undefined || (this.paused && this.#pausedUntil > deadline)) return true;
    return (
      this.#inFlight === 0 &&
      [...this.streams.values()].every(
        ({ state, heldUntil, unpersisted }) =>
          (state === 'idle' && unpersisted === 0) || (state === 'held' && heldUntil > deadline),
      )
    );
  }

  /** Ends every timer and aborts all requests. */
  close(): void {
    this.forget();
    this.#abort.abort();
    this.#configuration.abort();
  }

  /** Starts again with one request. */
  #narrow(): void {
    this.#open = 1;
    this.#pauses++;
  }

  #forgetCircuit(): void {
    this.#circuit?.close();
    this.#circuit = undefined;
    this.#probe = undefined;
  }

  /** The first stream with deliveries. Streams whose deliveries were dropped are removed. */
  #next(): Stream | undefined {
    for (let stream = this.#ready.shift(); stream !== undefined; stream = this.#ready.shift()) {
      if (stream.begin() !== undefined) return stream;
      stream.state = 'idle';
      this.tidy(stream);
    }
    return undefined;
  }
}
