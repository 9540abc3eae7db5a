import type { Clock } from '../clock.ts';
import type { SinkAddress } from './delivery.ts';
import { Stream } from './stream.ts';

/**
 * One sink: its streams, whose turn it is (round robin), how many requests are in flight, and the pause the
 * receiver asked for. After a pause it begins again with one request, and opens with the first success.
 */
export class Lane {
  readonly address: SinkAddress;
  readonly streams = new Map<string, Stream>();
  readonly #ready: Stream[] = [];
  readonly #width: number;
  #open: number;
  #inFlight = 0;
  #pausedUntil = 0;
  #resume: (() => void) | undefined;

  constructor(address: SinkAddress, width: number) {
    this.address = address;
    this.#width = width;
    this.#open = width;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Nothing waits, nothing flies, no pause has to be remembered. */
  get unused(): boolean {
    return (
      this.streams.size === 0 &&
      this.#inFlight === 0 &&
      this.#resume === undefined &&
      this.#open === this.#width
    );
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
    if (this.#resume !== undefined || this.#inFlight >= this.#open) return undefined;
    const stream = this.#ready.shift();
    if (stream === undefined) return undefined;
    stream.state = 'busy';
    this.#inFlight++;
    return stream;
  }

  finish(): void {
    this.#inFlight--;
  }

  /** A success: the receiver takes messages again. */
  opened(): void {
    this.#open = this.#width;
  }

  /** Nothing begins for `ms`; of several pauses the one that ends last holds. */
  pause(clock: Clock, ms: number, resumed: () => void): void {
    this.#open = 1;
    const until = clock.monotonic() + ms;
    if (this.#resume !== undefined && until <= this.#pausedUntil) return;
    this.#resume?.();
    this.#pausedUntil = until;
    this.#resume = clock.after(ms, () => {
      this.#resume = undefined;
      resumed();
    });
  }

  /** Ends every timer. */
  close(): void {
    this.#resume?.();
    this.#resume = undefined;
  }
}
