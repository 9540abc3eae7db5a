import type { Clock } from '@hnotif/core/clock';
import type { Dice } from '../../dice.ts';

/** The default of hnotif. */
export const WATCHDOG_MS = 150_000;
/** Longer than any pause, so that timers can be distinguished by their length. */
export const DEADLINE_MS = 40_000;

/** The kind of a timer: a pause between attempts, a wait for an answer, a wait for a byte of a watch. */
export type TimerKind = 'pause' | 'deadline' | 'watchdog';

interface Timer {
  readonly kind: TimerKind;
  readonly at: number;
  readonly run: () => void;
}

/** A clock that does not move by itself, and knows the kinds of its timers. */
export class StormClock implements Clock {
  readonly #dice: Dice;
  readonly #timers = new Set<Timer>();
  #elapsed = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  now(): number {
    return Date.UTC(2026, 0, 5, 20, 0, 0) + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  random(): number {
    return this.#dice.next();
  }

  after(ms: number, run: () => void): () => void {
    const kind = ms >= WATCHDOG_MS ? 'watchdog' : ms >= DEADLINE_MS ? 'deadline' : 'pause';
    const timer = { kind, at: this.#elapsed + ms, run } as const;
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** The number of timers. */
  get timers(): number {
    return this.#timers.size;
  }

  waitsFor(kind: TimerKind): boolean {
    return [...this.#timers].some((timer) => timer.kind === kind);
  }

  /** Advances to the first timer of this kind. Resolves with the elapsed milliseconds. */
  turnTo(kind: TimerKind): number {
    const next = Math.min(...[...this.#timers].filter((timer) => timer.kind === kind).map(({ at }) => at));
    return Number.isFinite(next) ? this.turn(next - this.#elapsed) : 0;
  }

  /** Advances by `ms`. Timers that are due run. Resolves with `ms`. */
  turn(ms: number): number {
    const end = this.#elapsed + ms;
    for (;;) {
      const [first] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (first === undefined) break;
      this.#timers.delete(first);
      this.#elapsed = first.at;
      first.run();
    }
    this.#elapsed = end;
    return ms;
  }
}
