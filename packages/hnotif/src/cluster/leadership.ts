import { momentOf, type Clock, type Moment } from '../clock.ts';
import { termOf, type Term } from './lease.ts';

/**
 * One time of leading: it may begin, and then end, once. Whoever wants to lead again makes a new one, with the same
 * identity.
 */
export interface Leadership {
  /** Who we are, among those who may lead. */
  readonly identity: string;
  /** Resolves when we lead. Never rejects; stays open where we never do. */
  readonly leading: Promise<Term>;
  /** Aborts when leadership is lost, before another process can lead; also when it is released. Its reason is an `Error` that says why. */
  readonly lost: AbortSignal;
  /** Asked before each thing that only a leader may do. Cheap; once false after leading, false for good. */
  isLeader(): boolean;
  /** Whether the Lease was renewed lately: half of the renew deadline is left, or more. Without election always, while it leads. */
  isRenewed(): boolean;
  /** Reads the Lease anew, for a process that meets the work of one with a later term. Never rejects. */
  check(): Promise<LeaseCheck>;
  /** When hnotif was first installed here, by the API server's clock (milliseconds since the epoch); undefined: not known. */
  readonly installedAt: number | undefined;
  /** For `/readyz`. A standby is well. */
  state(): LeadershipState;
  start(): void;
  /** Ends leadership, and lets the next one lead at once where it can: until `enough` aborts. Never rejects. */
  release(enough?: AbortSignal): Promise<void>;
}

/** Whether the Lease has moved to another process; `unknown`: it cannot be read now. */
export type LeaseCheck = 'moved' | 'held' | 'unknown';

export interface LeadershipState {
  readonly ok: boolean;
  readonly words: string;
}

/** For one who is told that it is alone: leads from the start. Its term is the time, so that it is above those before. */
export function unelected(identity: string, clock: Clock): Leadership {
  const lost = new AbortController();
  return {
    identity,
    // Two may be started in one second: the milliseconds count, too.
    leading: Promise.resolve(termOf({ createdAt: clock.now(), transitions: clock.now() % 1000 })),
    lost: lost.signal,
    isLeader: () => !lost.signal.aborted,
    isRenewed: () => !lost.signal.aborted,
    // Without a Lease a later term is all that tells of another process.
    check: () => Promise.resolve('moved'),
    installedAt: undefined,
    state: () => ({ ok: true, words: 'leading, without election' }),
    start: () => undefined,
    release: () => {
      lost.abort();
      return Promise.resolve();
    },
  };
}

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

/**
 * Leadership by a Lease, as one thread sees it: when it begins, and until when it lasts unless the Lease is renewed. Once it is over,
 * it is over for all threads.
 */
export class LeaseLeadership {
  readonly leading: Promise<Term>;
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #memory: LeaseMemory;
  readonly #lost = new AbortController();
  #begin: (term: Term) => void = () => undefined;
  #cancelTimer: () => void = () => undefined;

  /** `deadlineMs`: how long leadership lasts after a renewal. */
  constructor(clock: Clock, deadlineMs: number, memory: LeaseMemory) {
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
    this.#memory = memory;
    this.leading = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  /** Aborts once leadership is over, also while nothing asks: at the deadline, after `renew` or `watch`. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * A write that was sent at `sent` was answered: leadership begins, or goes on. An answer that comes too late begins nothing.
   * Only the thread that renews the Lease calls this.
   */
  renew(sent: Moment): void {
    if (this.lost.aborted || (this.#memory.renewed === undefined && this.#left(sent) <= 0)) return;
    this.#memory.renew(sent);
    this.watch();
  }

  /** Sets the timer for the deadline. When it fires, the deadline may be a later one. */
  readonly watch = (): void => {
    this.#cancelTimer();
    const { renewed } = this.#memory;
    if (this.isLeader() && renewed !== undefined)
      this.#cancelTimer = this.#clock.after(Math.max(0, this.#left(renewed)), this.watch);
  };

  /** Resolves `leading`. */
  begin(term: Term): void {
    this.#begin(term);
  }

  /** Whether leadership has begun and is not over. Ends it when its time has passed. */
  isLeader(): boolean {
    if (this.lost.aborted) return false;
    const { over, renewed } = this.#memory;
    if (!over && renewed === undefined) return false;
    if (!over && renewed !== undefined && this.#left(renewed) > 0) return true;
    this.end(`it could not be renewed for ${this.#deadlineMs} ms`);
    return false;
  }

  /** Whether it leads, and at least half of the time is left. */
  isRenewed(): boolean {
    const { renewed } = this.#memory;
    return this.isLeader() && renewed !== undefined && this.#left(renewed) >= this.#deadlineMs / 2;
  }

  /** Ends leadership. Only the first reason counts. */
  end(why: string): void {
    if (this.lost.aborted) return;
    this.#memory.end();
    this.#cancelTimer();
    this.#lost.abort(new Error(why));
  }

  #left(renewed: Moment): number {
    return leftOf(renewed, momentOf(this.#clock), this.#deadlineMs);
  }
}
