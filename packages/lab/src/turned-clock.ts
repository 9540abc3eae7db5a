import { systemClock, type Clock } from '@hnotif/core/clock';

/** The system's time, which a test can turn forward. Timers that are then due fire at once. */
export class TurnedClock implements Clock {
  #turned = 0;
  readonly #waiting = new Set<() => void>();
  readonly #heldMs: number;

  /** Timers of at least `heldMs` fire only when the clock is turned: such a time limit ends nothing on a slow machine. */
  constructor({ heldMs = Infinity }: { readonly heldMs?: number } = {}) {
    this.#heldMs = heldMs;
  }

  /** The sum of all turns (milliseconds). */
  get turned(): number {
    return this.#turned;
  }

  now(): number {
    return systemClock.now() + this.#turned;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#turned;
  }

  random(): number {
    return systemClock.random();
  }

  after(ms: number, run: () => void): () => void {
    const due = this.monotonic() + ms;
    const wake = (): void => {
      cancel();
      run();
    };
    const look = (): void => {
      if (this.monotonic() >= due) wake();
    };
    const stop = ms < this.#heldMs ? systemClock.after(ms, wake) : (): void => undefined;
    const cancel = (): void => {
      stop();
      this.#waiting.delete(look);
    };
    this.#waiting.add(look);
    return cancel;
  }

  /** Timers that are due then fire at once, in the order in which they were made: also those that end a request on its way. */
  turn(ms: number): void {
    this.#turned += ms;
    for (const look of [...this.#waiting]) look();
  }

  /**
   * A function for polls, which turns the clock each time after more calls than before. A turn may end a request on its way: on a slow
   * machine a steady pace would end every one of them.
   */
  everRarer(ms: number): () => void {
    let [calls, due, pause] = [0, 0, 0];
    return () => {
      if (calls++ < due) return;
      this.turn(ms);
      due += pause++;
    };
  }
}

/** The same, but the monotonic time stands still until the clock is turned. */
export class StillClock extends TurnedClock {
  override monotonic(): number {
    return this.turned;
  }
}
