import { momentOf, type Clock, type Moment } from '../clock.ts';

/** Cells of 8 bytes: moments in whole microseconds, rounded down. */
const RENEWALS = 0;
const SLOT = 1;
const OVER = 5;
const SIGN_OF_LIFE = 6;
const CELLS = 7;

/**
 * What the threads of a process know of its Lease, at the same time and without a message: when the renewal was sent that was
 * answered last, whether leadership is over, and when the main thread ran last. One thread renews; any may end it.
 * Monotonic times are of a clock that is the same in all threads.
 */
export class LeaseMemory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
  readonly #cells: BigInt64Array;

  /** @param buffer shared where more than one thread uses it; one that `shared` has made. */
  constructor(buffer: ArrayBuffer | SharedArrayBuffer = new ArrayBuffer(CELLS * 8)) {
    this.buffer = buffer;
    this.#cells = new BigInt64Array(buffer);
  }

  static shared(): LeaseMemory {
    return new LeaseMemory(new SharedArrayBuffer(CELLS * 8));
  }

  /** Undefined before the first renewal. */
  get renewed(): Moment | undefined {
    for (;;) {
      const count = this.#load(RENEWALS);
      if (count === 0n) return undefined;
      const slot = slotOf(count);
      const moment = { monotonic: inMs(this.#load(slot)), wall: inMs(this.#load(slot + 1)) };
      // Two renewals while we read, and the slot is another one's.
      if (this.#load(RENEWALS) === count) return moment;
    }
  }

  /** By one thread alone. The slot that others may be reading is left as it is: both clocks belong together. */
  renew({ monotonic, wall }: Moment): void {
    const count = this.#load(RENEWALS) + 1n;
    const slot = slotOf(count);
    Atomics.store(this.#cells, slot, inMicros(monotonic));
    Atomics.store(this.#cells, slot + 1, inMicros(wall));
    Atomics.store(this.#cells, RENEWALS, count);
  }

  get over(): boolean {
    return this.#load(OVER) !== 0n;
  }

  /** For good. */
  end(): void {
    Atomics.store(this.#cells, OVER, 1n);
  }

  /** When the main thread ran last (monotonic milliseconds). */
  get signOfLife(): number {
    return inMs(this.#load(SIGN_OF_LIFE));
  }

  set signOfLife(monotonic: number) {
    Atomics.store(this.#cells, SIGN_OF_LIFE, inMicros(monotonic));
  }

  #load(cell: number): bigint {
    return Atomics.load(this.#cells, cell);
  }
}

const slotOf = (count: bigint): number => SLOT + (count % 2n === 0n ? 0 : 2);
const inMicros = (ms: number): bigint => BigInt(Math.floor(ms * 1000));
const inMs = (micros: bigint): number => Number(micros) / 1000;

/**
 * How long a leader may still act (milliseconds; 0 or less: no longer), who sent its last renewal that was answered at
 * `renewed`. The clock that has gone further counts: the monotonic one stands still while a machine sleeps, the wall
 * clock may be set back.
 */
export function leftOf(renewed: Moment, now: Moment, deadlineMs: number): number {
  const gone = Math.max(now.monotonic - renewed.monotonic, now.wall - renewed.wall);
  return deadlineMs - gone;
}

/** Until when a process leads unless its Lease is renewed, as one thread sees it. Once over, it is over for all. */
export class LeaseDeadline {
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #memory: LeaseMemory;
  readonly #ended: () => void;
  #over = false;
  #cancel: () => void = () => undefined;

  /** `ended` is called once, also while nothing asks: at the deadline, counted from `renew` or `watch`. */
  constructor(clock: Clock, deadlineMs: number, memory: LeaseMemory, ended: () => void) {
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
    this.#memory = memory;
    this.#ended = ended;
  }

  /**
   * A write that was sent at `sent` was answered: leadership begins, or goes on. An answer that came too late begins nothing.
   * Called by the one thread that renews.
   */
  renew(sent: Moment): void {
    if (this.#over || (this.#memory.renewed === undefined && this.#left(sent) <= 0)) return;
    this.#memory.renew(sent);
    this.watch();
  }

  /** Looks again at the deadline, which may be a later one by then. */
  readonly watch = (): void => {
    this.#cancel();
    const { renewed } = this.#memory;
    if (this.holds() && renewed !== undefined)
      this.#cancel = this.#clock.after(Math.max(0, this.#left(renewed)), this.watch);
  };

  /** Whether leadership has begun and is not over. Where its time has passed, it ends here and now. */
  holds(): boolean {
    if (this.#over) return false;
    const { over, renewed } = this.#memory;
    if (!over && renewed === undefined) return false;
    if (!over && renewed !== undefined && this.#left(renewed) > 0) return true;
    this.stop();
    this.#ended();
    return false;
  }

  /** Whether it holds, and half of the time is left, or more. */
  isFresh(): boolean {
    const { renewed } = this.#memory;
    return this.holds() && renewed !== undefined && this.#left(renewed) >= this.#deadlineMs / 2;
  }

  /** Ends it before its time. */
  stop(): void {
    this.#over = true;
    this.#memory.end();
    this.#cancel();
  }

  #left(renewed: Moment): number {
    return leftOf(renewed, momentOf(this.#clock), this.#deadlineMs);
  }
}
