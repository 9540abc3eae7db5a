import { momentOf, type Clock, type Moment } from '@hnotif/core/clock';
import type { LeaseMemory } from './lease-memory.ts';
import { termOf, type Term } from './lease.ts';

/**
 * One period of leadership: it begins at most once and ends at most once. To lead again, a process makes a new one with the same identity.
 */
export interface Leadership {
  /** Our name among the candidates. */
  readonly identity: string;
  /** Resolves when we lead. Never rejects. */
  readonly leading: Promise<Term>;
  /** Aborts when leadership is lost, before another process can lead, or released. Its reason is an `Error` that says why. */
  readonly lost: AbortSignal;
  /** Called before each action that only a leader may do. Cheap. Once leadership is lost, it stays false. */
  isLeader(): boolean;
  /** Whether the Lease was renewed recently: at least half of the renew deadline is left. Without election: whether it leads. */
  isRenewed(): boolean;
  /** Reads the Lease again, when a later term was seen. Never rejects. */
  check(): Promise<LeaseCheck>;
  /** When hnotif was first installed here, by the API server's clock (milliseconds since the epoch); undefined: not known. */
  readonly installedAt: number | undefined;
  /** For `/readyz`. A standby is ok. */
  state(): LeadershipState;
  start(): void;
  /** Ends leadership and releases the Lease, until `enough` aborts. Never rejects. */
  release(enough?: AbortSignal): Promise<void>;
}

/** Whether the Lease has moved to another process; `unknown`: it cannot be read now. */
export type LeaseCheck = 'moved' | 'held' | 'unknown';

export interface LeadershipState {
  readonly ok: boolean;
  readonly words: string;
}

/** For a process without election: leads from the start. Its term is the time, so it is higher than those before. */
export function unelected(identity: string, clock: Clock): Leadership {
  const lost = new AbortController();
  return {
    identity,
    // Milliseconds count: two processes may start in one second.
    leading: Promise.resolve(termOf({ createdAt: clock.now(), transitions: clock.now() % 1000 })),
    lost: lost.signal,
    isLeader: () => !lost.signal.aborted,
    isRenewed: () => !lost.signal.aborted,
    // Without a Lease, a later term means another process.
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

/**
 * How long a leader may still act (milliseconds; 0 or less: no longer). `renewed`: when it sent its last answered renewal. The clock that
 * has advanced further counts: the monotonic clock stops while a machine sleeps, the wall clock may be set back.
 */
export function leftOf(renewed: Moment, now: Moment, deadlineMs: number): number {
  const gone = Math.max(now.monotonic - renewed.monotonic, now.wall - renewed.wall);
  return deadlineMs - gone;
}

/**
 * Leadership by a Lease, as one thread sees it: when it begins, and until when it lasts unless the Lease is renewed. Once it is over,
 * it is over for all threads.
 */
export class LeaseLeadership implements Pick<
  Leadership,
  'leading' | 'lost' | 'isLeader' | 'isRenewed' | 'installedAt'
> {
  readonly leading: Promise<Term>;
  installedAt: number | undefined;
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #memory: LeaseMemory;
  readonly #hearsWhy: boolean;
  readonly #lost = new AbortController();
  #begin: (term: Term) => void = () => undefined;
  #cancelTimer: () => void = () => undefined;

  /**
   * `deadlineMs`: how long leadership lasts after a renewal. `hearsWhy`: the other thread, if it ends leadership before the deadline, says
   * why in a message. Default: it does not.
   */
  constructor(clock: Clock, deadlineMs: number, memory: LeaseMemory, hearsWhy = false) {
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
    this.#memory = memory;
    this.#hearsWhy = hearsWhy;
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
    const isInTime = renewed !== undefined && this.#left(renewed) > 0;
    if (!over && isInTime) return true;
    if (isInTime && this.#hearsWhy) return false;
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
