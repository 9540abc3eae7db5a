import type { Clock } from '../clock.ts';
import type { Limits } from './limits.ts';
import { isExpendable } from './overflow.ts';
import type { LogEntry } from './log-entry.ts';
import type { PlanLog } from './plan-log.ts';
import type { Slices } from './slices.ts';

/** What waits is looked through at most so often (milliseconds): a delivery may be so much too old. */
const SWEEP_MS = 60_000;

export interface AgesOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly slices: Slices;
  readonly logs: () => Iterable<PlanLog>;
  /** Some of what waits in the log is too old. May leave some of it where it is: it is asked again. */
  readonly expire: (log: PlanLog, isOver: (entry: LogEntry) => boolean) => void;
}

/**
 * Finds what has waited for too long, wherever it waits. Age is counted by the monotonic clock: a wall clock that jumps ends
 * nothing.
 */
export class Ages {
  readonly #options: AgesOptions;
  /** When the next sweep is (monotonic milliseconds). */
  #at = Infinity;
  #cancel: (() => void) | undefined;

  constructor(options: AgesOptions) {
    this.#options = options;
  }

  isOver(entry: LogEntry): boolean {
    return this.#endOf(entry) <= this.#options.clock.monotonic();
  }

  /** Something more waits, accepted then (monotonic milliseconds). */
  enter(since: number): void {
    const { maxAgeMs, maxAgeOfProgressMs } = this.#options.limits;
    const end = since + Math.min(maxAgeMs, maxAgeOfProgressMs);
    if (end < this.#at) this.#arm(end);
  }

  /** Nothing waits any more. */
  rest(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#at = Infinity;
  }

  #endOf(entry: LogEntry): number {
    const { maxAgeMs, maxAgeOfProgressMs } = this.#options.limits;
    return entry.since + (isExpendable(entry) ? maxAgeOfProgressMs : maxAgeMs);
  }

  #arm(at: number): void {
    const { clock, slices } = this.#options;
    this.#cancel?.();
    this.#at = at;
    this.#cancel = clock.after(Math.max(0, Math.ceil(at - clock.monotonic())), () => {
      this.rest();
      slices.run(this.#sweep());
    });
  }

  *#sweep(): Generator<undefined, void> {
    const { clock, limits, logs, expire } = this.#options;
    const now = clock.monotonic();
    let next = Infinity;
    for (const log of [...logs()]) {
      let isAnyOver = false;
      for (const entry of log.entries()) {
        const end = this.#endOf(entry);
        if (end <= now) isAnyOver = true;
        else next = Math.min(next, end);
      }
      if (isAnyOver) expire(log, (entry) => this.#endOf(entry) <= now);
      yield;
    }
    const pace = Math.min(SWEEP_MS, limits.maxAgeMs, limits.maxAgeOfProgressMs);
    if (next < this.#at) this.#arm(Math.max(next, now + pace));
  }
}
