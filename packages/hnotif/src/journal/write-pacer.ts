import type { Clock } from '../clock.ts';

/** The time in which changes are counted (milliseconds). */
const WINDOW_MS = 200;
/** This many changes per second are a burst, as when many plans begin at the same time. */
const BURST_PER_SECOND = 300;
/** The shortest time between two writes of a journal in a burst (milliseconds). So the changes of its plans share writes. */
const INTERVAL_MS = 750;

/**
 * Decides when a journal is written. While changes are few, each is written at once and no delivery waits for another. In a burst, that
 * would be a write for each status that the operator writes. Then a journal waits until three quarters of a second after its last write, or
 * until most of its plans have changed.
 */
export class WritePacer {
  readonly #clock: Clock;
  /** Changes in the window. Older ones count less. */
  #changes = 0;
  #countedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.monotonic();
  }

  /** Counts a change that deliveries wait for. */
  count(): void {
    const now = this.#clock.monotonic();
    this.#changes = this.#changesAt(now) + 1;
    this.#countedAt = now;
  }

  /** The wait before the next write of a journal (milliseconds). `writtenAt`: when its last write began (monotonic milliseconds). */
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
