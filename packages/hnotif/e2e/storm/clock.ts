import type { Clock } from '../../src/clock.ts';
import type { Dice } from './dice.ts';

/** As the product has it by default. */
export const WATCHDOG_MS = 150_000;
/** Longer than any pause, so that timers can be told apart by their length. */
export const DEADLINE_MS = 40_000;

/** What a timer waits for: a pause between attempts, an answer, a byte of a watch. */
export type TimerKind = 'pause' | 'deadline' | 'watchdog';

interface Timer {
  readonly kind: TimerKind;
  readonly at: number;
  readonly run: () => void;
}

/** Stands still until it is turned, and says what is waited for. */
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

  /** How many timers wait. */
  get timers(): number {
    return this.#timers.size;
  }

  waitsFor(kind: TimerKind): boolean {
    return [...this.#timers].some((timer) => timer.kind === kind);
  }

  /** Turns the hands to the first timer of this kind; resolves with the milliseconds that has taken. */
  turnTo(kind: TimerKind): number {
    const next = Math.min(...[...this.#timers].filter((timer) => timer.kind === kind).map(({ at }) => at));
    return Number.isFinite(next) ? this.turn(next - this.#elapsed) : 0;
  }

  /** Turns the hands; what is due on the way runs. Gives `ms`. */
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
