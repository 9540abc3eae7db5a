import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock.ts';
import { Stream } from './stream.ts';

/**
 * One sink: its streams, whose turn it is (round robin), how many requests are in flight, and the pause the
 * receiver asked for. After a pause it begins again with one request, and opens with the first success.
 */
export class Lane {
  /** Namespace, notification and sink. */
  readonly key: string;
  readonly streams = new Map<string, Stream>();
  readonly #ready: Stream[] = [];
  readonly #width: number;
  readonly #abort = new AbortController();
  #open: number;
  #inFlight = 0;
  #pauses = 0;
  #pausedUntil = 0;
  #resume: (() => void) | undefined;

  constructor(key: string, width: number) {
    this.key = key;
    this.#width = width;
    this.#open = width;
    // Each request, wait and template of the lane listens: that is no leak, as Node would warn.
    setMaxListeners(0, this.#abort.signal);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get paused(): boolean {
    return this.#resume !== undefined;
  }

  /** How often it was paused: what a request remembers of when it began. */
  get pauses(): number {
    return this.#pauses;
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

  /** Begins the next stream's turn, if one waits and the lane has room; `finish` ends it. */
  begin(): Stream | undefined {
    if (this.paused || this.#inFlight >= this.#open) return undefined;
    const stream = this.#next();
    if (stream === undefined) return undefined;
    stream.state = 'busy';
    this.#inFlight++;
    return stream;
  }

  /** The first of the row in which something waits: what is empty by now (it was dropped) is no stream any more. */
  #next(): Stream | undefined {
    for (let stream = this.#ready.shift(); stream !== undefined; stream = this.#ready.shift()) {
      if (stream.size > 0) return stream;
      if (this.streams.get(stream.planUid) === stream) this.streams.delete(stream.planUid);
    }
    return undefined;
  }

  finish(): void {
    this.#inFlight--;
  }

  /** A success of a request that began after `pauses` pauses. One from before the last pause proves nothing. */
  opened(pauses: number): void {
    if (pauses === this.#pauses) this.#open = this.#width;
  }

  /** Nothing begins for `ms`; of several pauses the one that ends last holds. */
  pause(clock: Clock, ms: number, resumed: () => void): void {
    this.#open = 1;
    this.#pauses++;
    const until = clock.monotonic() + ms;
    if (this.paused && until <= this.#pausedUntil) return;
    this.#resume?.();
    this.#pausedUntil = until;
    this.#resume = clock.after(ms, () => {
      this.#resume = undefined;
      resumed();
    });
  }

  /** The sink that asked for a pause is gone. */
  forgetPause(): void {
    this.#resume?.();
    this.#resume = undefined;
  }

  /** Ends every timer and aborts what is in flight. */
  close(): void {
    this.forgetPause();
    this.#abort.abort();
  }
}
