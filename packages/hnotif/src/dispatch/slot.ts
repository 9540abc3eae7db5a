import type { Clock } from '../clock.ts';
import type { Lane } from './lane.ts';
import type { Slots } from './slots.ts';
import type { Stream } from './stream.ts';

/** The slot of one request: taken by the sink when its message is made, given back when it is known what follows. */
export class Slot {
  readonly #slots: Slots;
  readonly #origin: string;
  readonly #lane: Lane;
  readonly #stream: Stream;
  readonly #clock: Clock;
  readonly #taken: () => void;
  #refused = false;
  #takenAt: number | undefined;

  /** `taken` is called when it is taken: from then on a request may have been made. */
  constructor(slots: Slots, origin: string, lane: Lane, stream: Stream, clock: Clock, taken: () => void) {
    this.#slots = slots;
    this.#origin = origin;
    this.#lane = lane;
    this.#stream = stream;
    this.#clock = clock;
    this.#taken = taken;
  }

  /** Monotonic milliseconds; undefined: it was not taken, and nothing was sent. */
  get takenAt(): number | undefined {
    return this.#takenAt;
  }

  /** Whether the sink was told not to send. */
  get refused(): boolean {
    return this.#refused;
  }

  /** False when the sink was paused or parked in the meantime, or everything ends. */
  take(): boolean | Promise<boolean> {
    if (this.#takenAt !== undefined) return true;
    const slot = this.#slots.acquire(this.#origin);
    return slot instanceof Promise ? slot.then((held) => this.#held(held)) : this.#held(slot);
  }

  #held(held: boolean): boolean {
    if (!held) return this.#refuse();
    if (!this.#lane.admits(this.#stream)) {
      this.#slots.release(this.#origin);
      return this.#refuse();
    }
    this.#takenAt = this.#clock.monotonic();
    this.#lane.requests++;
    this.#taken();
    return true;
  }

  release(): void {
    if (this.#takenAt === undefined) return;
    this.#lane.requests--;
    this.#slots.release(this.#origin);
  }

  #refuse(): false {
    this.#refused = true;
    return false;
  }
}
