import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock.ts';
import { Park, type Cause, type Why } from './park.ts';
import { Stream } from './stream.ts';

/**
 * One sink: its streams, whose turn it is (round robin), how many requests are in flight, the pause the receiver asked
 * for, and whether it is parked. After either it begins again with one request, and opens with the first success.
 */
export class Lane {
  /** Namespace, notification and sink. */
  readonly key: string;
  readonly streams = new Map<string, Stream>();
  /** Requests without an answer: of the turns in flight those that wait for no token any more. */
  requests = 0;
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
  /** Whether one of them was told. */
  #pauseTold = false;
  #resume: (() => void) | undefined;
  #arrived = 0;
  #parks = 0;
  #park: Park | undefined;
  /** Whose head is the probe of a parked sink. */
  #probe: Stream | undefined;

  constructor(key: string, width: number) {
    this.key = key;
    this.#width = width;
    this.#open = width;
    // Each request, wait and template of the lane listens: that is no leak, as Node would warn.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Turns that have begun and not ended. */
  get inFlight(): number {
    return this.#inFlight;
  }

  get paused(): boolean {
    return this.#resume !== undefined;
  }

  /** How often it was paused or parked: what a request remembers of when it began. */
  get pauses(): number {
    return this.#pauses;
  }

  /** How often it was parked. */
  get parks(): number {
    return this.#parks;
  }

  /** Why it is paused, and until when (milliseconds since the epoch), where that is worth a word; undefined: it is not. */
  get pause(): (Why & { readonly nextAt: number }) | undefined {
    return this.paused && this.#pauseTold ? this.#pause : undefined;
  }

  /** Why it is parked; undefined: it is not. */
  get park(): Park | undefined {
    return this.#park;
  }

  /** Deliveries that have arrived. */
  get arrived(): number {
    return this.#arrived;
  }

  /** Deliveries that wait or are being sent. */
  get waiting(): number {
    let waiting = 0;
    for (const { size } of this.streams.values()) waiting += size;
    return waiting;
  }

  /** Aborts with `close`. Each lane has its own: a signal's listeners are searched one by one. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Nothing waits, nothing flies, no pause has to be remembered. */
  get unused(): boolean {
    return this.streams.size === 0 && this.#inFlight === 0 && !this.paused;
  }

  stream(planUid: string): Stream {
    let stream = this.streams.get(planUid);
    if (stream === undefined) this.streams.set(planUid, (stream = new Stream(planUid)));
    return stream;
  }

  /** Puts a stream at the end of the row; `first` puts it in front, for a head that a pause sent back. */
  queue(stream: Stream, first = false): void {
    stream.state = 'queued';
    if (first) this.#ready.unshift(stream);
    else this.#ready.push(stream);
  }

  /** A stream of which something has gone that waited: an empty one is no stream any more. */
  tidy(stream: Stream): void {
    if (stream.size === 0 && this.streams.get(stream.planUid) === stream) this.streams.delete(stream.planUid);
    else if (stream.size > 0 && stream.state === 'idle') this.queue(stream);
  }

  /** Begins the next stream's turn, if one waits and the lane has room; `finish` ends it. */
  begin(): Stream | undefined {
    if (this.paused) return undefined;
    const mayBegin =
      this.#park === undefined ? this.#inFlight < this.#open : this.#park.due && this.#probe === undefined;
    const stream = mayBegin ? this.#next() : undefined;
    if (stream === undefined) return undefined;
    stream.state = 'busy';
    this.#inFlight++;
    if (this.#park !== undefined) {
      this.#probe = stream;
      this.#park.begun();
    }
    return stream;
  }

  finish(stream: Stream): void {
    this.#inFlight--;
    if (this.#probe === stream) this.#probe = undefined;
  }

  /** Whether a stream whose turn has begun may make its request now. */
  admits(stream: Stream): boolean {
    return !this.paused && (this.#park === undefined || this.#probe === stream);
  }

  isProbe(stream: Stream): boolean {
    return this.#probe === stream;
  }

  /** A success of a request that began after `pauses` pauses. One from before the last pause proves nothing. */
  opened(pauses: number): void {
    if (pauses === this.#pauses) this.#open = this.#width;
  }

  /** A delivery has arrived. */
  arrive(): void {
    this.#arrived++;
    this.heard();
  }

  /** The receiver has taken something: the next pause is the first of its row. */
  heard(): void {
    this.#pausesInARow = 0;
    this.#pauseTold = false;
  }

  /** How many pauses were asked for in a row. */
  get pausesInARow(): number {
    return this.#pausesInARow;
  }

  /** One more in the row; `loud` when it is worth a word, as all that follow it in the row are. Whether it is the first that is. */
  pauseAgain(loud: boolean): boolean {
    this.#pausesInARow++;
    const begun = loud && !this.#pauseTold;
    this.#pauseTold ||= loud;
    return begun;
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

  /** Nothing begins but a probe after `ms`, and more of them, until `release`. */
  parkFor(clock: Clock, cause: Cause, ms: number, due: () => void): Park {
    this.#parks++;
    return (this.#park = new Park(clock, cause, ms, due));
  }

  /** The sink takes messages again. */
  release(): void {
    this.#narrow();
    this.#unpark();
  }

  /** The sink that was paused or parked is gone. */
  forget(): void {
    this.#resume?.();
    this.#resume = undefined;
    this.#unpark();
  }

  /** Whether nothing of it will be sent until then (monotonic milliseconds): what is left waits for more than that. */
  restsUntil(deadline: number): boolean {
    if (this.requests > 0) return false;
    if (this.#park !== undefined || (this.paused && this.#pausedUntil > deadline)) return true;
    return (
      this.#inFlight === 0 &&
      [...this.streams.values()].every(({ state, heldUntil }) => state === 'held' && heldUntil > deadline)
    );
  }

  /** Ends every timer and aborts what is in flight. */
  close(): void {
    this.forget();
    this.#abort.abort();
  }

  /** It begins again with one request. */
  #narrow(): void {
    this.#open = 1;
    this.#pauses++;
  }

  #unpark(): void {
    this.#park?.close();
    this.#park = undefined;
    this.#probe = undefined;
  }

  /** The first of the row in which something waits: what is empty by now (it was dropped) is no stream any more. */
  #next(): Stream | undefined {
    for (let stream = this.#ready.shift(); stream !== undefined; stream = this.#ready.shift()) {
      if (stream.size > 0) return stream;
      this.tidy(stream);
    }
    return undefined;
  }
}
