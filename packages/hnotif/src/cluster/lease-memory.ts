import type { Moment } from '@hnotif/core/clock';

/** Cells of 8 bytes: moments in whole microseconds, rounded down. */
const RENEWALS = 0;
const SLOT = 1;
const OVER = 5;
const SIGN_OF_LIFE = 6;
const CELLS = 7;

/**
 * What the threads of a process share about the Lease: when the last answered renewal was sent, whether leadership is over, and the last
 * heartbeat of the main thread. One thread renews, any thread may end leadership. All threads use the same monotonic clock.
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
      // Two renewals since then would have overwritten the slot.
      if (this.#load(RENEWALS) === count) return moment;
    }
  }

  /** Only one thread calls this. It does not touch the slot that others may be reading: both clocks belong together. */
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

  /** The last heartbeat of the main thread (monotonic milliseconds). */
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
