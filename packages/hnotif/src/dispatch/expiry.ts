import type { Clock } from '../clock.ts';
import { inSlices } from '../slices.ts';
import type { Limits } from './limits.ts';
import { isExpendable, type LogEntry } from './log-entry.ts';
import type { PlanLog } from './plan-log.ts';

/** The shortest time between two sweeps (milliseconds). A delivery may become too old by this much. */
const SWEEP_MS = 60_000;

export interface ExpiryOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly logs: () => Iterable<PlanLog>;
  /** Some deliveries of the log are too old. The next sweep reports those again that are still there. */
  readonly expire: (log: PlanLog, isExpired: (entry: LogEntry) => boolean) => void;
}

/** Finds deliveries that have waited too long. Uses the monotonic clock: a change of the wall clock expires nothing. */
export class Expiry {
  readonly #options: ExpiryOptions;
  /** When the next sweep is (monotonic milliseconds). */
  #at = Infinity;
  #cancel: (() => void) | undefined;

  constructor(options: ExpiryOptions) {
    this.#options = options;
  }

  isExpired(entry: LogEntry): boolean {
    return this.#endOf(entry) <= this.#options.clock.monotonic();
  }

  /** A delivery was added that was accepted at `since` (monotonic milliseconds). */
  expect(since: number): void {
    const { maxAgeMs, maxAgeOfProgressMs } = this.#options.limits;
    const end = since + Math.min(maxAgeMs, maxAgeOfProgressMs);
    if (end < this.#at) this.#arm(end);
  }

  /** Nothing waits. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#at = Infinity;
  }

  #endOf(entry: LogEntry): number {
    const { maxAgeMs, maxAgeOfProgressMs } = this.#options.limits;
    return entry.since + (isExpendable(entry) ? maxAgeOfProgressMs : maxAgeMs);
  }

  #arm(at: number): void {
    const { clock } = this.#options;
    this.#cancel?.();
    this.#at = at;
    this.#cancel = clock.after(Math.max(0, Math.ceil(at - clock.monotonic())), () => {
      this.stop();
      void inSlices(clock, this.#sweep());
    });
  }

  *#sweep(): Generator<undefined, void> {
    const { clock, limits, logs, expire } = this.#options;
    const now = clock.monotonic();
    let next = Infinity;
    for (const log of [...logs()]) {
      let hasExpired = false;
      for (const entry of log.entries()) {
        const end = this.#endOf(entry);
        if (end <= now) hasExpired = true;
        else next = Math.min(next, end);
      }
      if (hasExpired) expire(log, (entry) => this.#endOf(entry) <= now);
      yield;
    }
    const interval = Math.min(SWEEP_MS, limits.maxAgeMs, limits.maxAgeOfProgressMs);
    if (next < this.#at) this.#arm(Math.max(next, now + interval));
  }
}
