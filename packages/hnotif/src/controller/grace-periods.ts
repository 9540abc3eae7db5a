import type { Clock } from '../clock.ts';
import { sinkKey, type SinkAddress } from '../resources/sink-address.ts';

/**
 * Sinks that nobody lists any more, for a while: a notification that is deleted and created again (as some tools apply their
 * manifests) goes on where it was.
 */
export class GracePeriods {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #over: (to: SinkAddress) => void;
  readonly #timers = new Map<string, () => void>();

  /** Calls `over` for a sink that did not come back within `ms`; at once where that is 0. */
  constructor(clock: Clock, ms: number, over: (to: SinkAddress) => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#over = over;
  }

  /** Whether it may come back. */
  has(to: SinkAddress): boolean {
    return this.#timers.has(sinkKey(to));
  }

  left(to: SinkAddress): void {
    if (this.#ms === 0) {
      this.#over(to);
      return;
    }
    this.back(to);
    const cancel = this.#clock.after(this.#ms, () => {
      this.#timers.delete(sinkKey(to));
      this.#over(to);
    });
    this.#timers.set(sinkKey(to), cancel);
  }

  back(to: SinkAddress): void {
    this.#timers.get(sinkKey(to))?.();
    this.#timers.delete(sinkKey(to));
  }

  /** Ends every timer. */
  close(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}
