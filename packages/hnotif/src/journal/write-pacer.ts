import type { Clock } from '@hnotif/core/clock';

/** The time in which changes are counted (milliseconds). */
const WINDOW_MS = 100;
/** When writes of a journal are rarer than its changes, so that the changes of its plans share them. */
export interface Pace {
  /** This many changes per second are a burst, as when many plans begin at the same time. */
  readonly burstPerSecond: number;
  /**
   * In a burst (milliseconds). If messages wait: the shortest time between two writes of a journal. If nothing waits: the longest time from a
   * change to its write. The wait is up to a fifth shorter, at random, so that not all journals are written at once.
   */
  readonly intervalMs: number;
  /** Whether a message waits for the write, or would be seen twice after a kill. Then the burst of one namespace delays no other one. */
  readonly isAwaited: boolean;
}

export const AWAITED: Pace = { burstPerSecond: 300, intervalMs: 750, isAwaited: true };
export const UNAWAITED: Pace = { burstPerSecond: 30, intervalMs: 5_000, isAwaited: false };

/** A count of changes in the window. Older ones count less. */
class Rate {
  #changes = 0;
  #countedAt = 0;

  add(now: number): void {
    this.#changes = this.at(now) + 1;
    this.#countedAt = now;
  }

  at(now: number): number {
    return this.#changes * Math.exp((this.#countedAt - now) / WINDOW_MS);
  }
}

/**
 * Decides when a journal is written. While changes are few, each that a delivery waits for is written at once. In a burst, this
 * would make a write for each status that the operator writes. So in a burst a journal waits until some time after its last
 * write (or, see `WriteSchedule.urgently`, until most of its plans wait for it). Where messages wait, a namespace whose changes are less than
 * half of an equal part has no part in the burst: its journals do not wait.
 */
export class WritePacer {
  readonly #clock: Clock;
  readonly #all = new Rate();
  /** The namespaces with changes in the window. The one that changed last is the last one. */
  readonly #namespaces = new Map<string, Rate>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a change with events to send. */
  count(namespace: string): void {
    const now = this.#clock.monotonic();
    this.#all.add(now);
    const own = this.#namespaces.get(namespace) ?? new Rate();
    own.add(now);
    this.#namespaces.delete(namespace);
    this.#namespaces.set(namespace, own);
    for (const [name, rate] of this.#namespaces) {
      if (rate.at(now) >= 0.5) break;
      this.#namespaces.delete(name);
    }
  }

  /** The wait before the next write of a journal (milliseconds). `writtenAt`: when its last write began (monotonic milliseconds). */
  waitMs(namespace: string, writtenAt: number, pace: Pace): number {
    const { intervalMs, isAwaited } = pace;
    const left = isAwaited
      ? writtenAt + intervalMs - this.#clock.monotonic()
      : intervalMs * (1 - this.#clock.random() / 5);
    return left > 0 && this.#isBurst(namespace, pace) ? left : 0;
  }

  /** Whether there is a burst in which the namespace takes part. */
  #isBurst(namespace: string, { burstPerSecond, isAwaited }: Pace): boolean {
    const now = this.#clock.monotonic();
    const all = this.#all.at(now);
    if (all * 1_000 < burstPerSecond * WINDOW_MS) return false;
    if (!isAwaited) return true;
    const own = this.#namespaces.get(namespace)?.at(now) ?? 0;
    return 2 * own * this.#namespaces.size >= all;
  }
}
