import type { Clock } from '@hnotif/core/clock';
import { sinkKey, type SinkAddress } from '@hnotif/core/resources';

export interface GraceListener {
  /** A deleted sink was not created again in time. */
  graceEnded(to: SinkAddress): void;
}

/**
 * Deleted sinks that may be created again: some tools delete and create a notification to apply a change. Its deliveries then continue
 * where they were.
 */
export class GracePeriods {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #listener: GraceListener;
  readonly #timers = new Map<string, () => void>();

  /** A grace period ends after `ms`; 0: at once. */
  constructor(clock: Clock, ms: number, listener: GraceListener) {
    this.#clock = clock;
    this.#ms = ms;
    this.#listener = listener;
  }

  /** Whether the sink may be created again. */
  has(to: SinkAddress): boolean {
    return this.#timers.has(sinkKey(to));
  }

  left(to: SinkAddress): void {
    if (this.#ms === 0) {
      this.#listener.graceEnded(to);
      return;
    }
    this.back(to);
    const cancel = this.#clock.after(this.#ms, () => {
      this.#timers.delete(sinkKey(to));
      this.#listener.graceEnded(to);
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
