import { StillClock } from '../../turned-clock.ts';
import type { Dice } from '../../dice.ts';

/** The default of hnotif. */
export const WATCHDOG_MS = 150_000;
/** Longer than any pause, so that timers can be distinguished by their length. */
export const DEADLINE_MS = 40_000;

/** The kind of a timer: a pause between attempts, a wait for an answer, a wait for a byte of a watch. */
type TimerKind = 'pause' | 'deadline' | 'watchdog';

/** A clock that does not move by itself, and knows the kinds of its timers. */
export class StormClock extends StillClock {
  readonly #dice: Dice;
  readonly #timers = new Set<{ readonly kind: TimerKind; readonly at: number }>();

  constructor(dice: Dice) {
    super({ heldMs: 0 });
    this.#dice = dice;
  }

  override random(): number {
    return this.#dice.next();
  }

  override after(ms: number, run: () => void): () => void {
    const kind = ms >= WATCHDOG_MS ? 'watchdog' : ms >= DEADLINE_MS ? 'deadline' : 'pause';
    const timer = { kind, at: this.monotonic() + ms } as const;
    this.#timers.add(timer);
    const ended = (end: () => void) => (): void => {
      this.#timers.delete(timer);
      end();
    };
    return ended(super.after(ms, ended(run)));
  }

  /** The number of timers. */
  get timers(): number {
    return this.#timers.size;
  }

  waitsFor(kind: TimerKind): boolean {
    return [...this.#timers].some((timer) => timer.kind === kind);
  }

  /** Advances to the first timer of this kind. Returns the elapsed milliseconds. */
  turnTo(kind: TimerKind): number {
    const next = Math.min(...[...this.#timers].filter((timer) => timer.kind === kind).map(({ at }) => at));
    const ms = Number.isFinite(next) ? next - this.monotonic() : 0;
    this.turn(ms);
    return ms;
  }
}
