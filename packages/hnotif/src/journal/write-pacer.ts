import type { Clock } from '../clock.ts';

/** The time over which changes are counted (milliseconds). */
const WINDOW_MS = 200;
/** So many changes a second are a burst: plans that begin their night at the same time. */
const BURST_PER_SECOND = 300;
/** In a burst a journal is written no more often than this (milliseconds), so that the changes of its plans share writes. */
const INTERVAL_MS = 750;

/**
 * When a journal is written. A change is written at once, as long as changes are few: then a delivery waits for no other. In a burst
 * the API server would get a write for each status that the operator writes. There a journal waits until three quarters of a second
 * after its last write, or until most of its plans have changed.
 */
export class WritePacer {
  readonly #clock: Clock;
  /** Changes in the window, of which the older ones count less. */
  #changes = 0;
  #countedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.monotonic();
  }

  /** Something has changed that deliveries wait for. */
  count(): void {
    const now = this.#clock.monotonic();
    this.#changes = this.#changesAt(now) + 1;
    this.#countedAt = now;
  }

  /** How long the next write of a journal is to wait (milliseconds). `writtenAt`: when its last one began (monotonic milliseconds). */
  waitMs(writtenAt: number): number {
    return this.isBurst ? Math.max(0, writtenAt + INTERVAL_MS - this.#clock.monotonic()) : 0;
  }

  get isBurst(): boolean {
    return this.#changesAt(this.#clock.monotonic()) * 1_000 >= BURST_PER_SECOND * WINDOW_MS;
  }

  #changesAt(now: number): number {
    return this.#changes * Math.exp((this.#countedAt - now) / WINDOW_MS);
  }
}
