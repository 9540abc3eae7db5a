import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@hnotif/core/clock';
import { Backoff } from '../cluster/backoff.ts';

/** Why events cannot be stored now. */
export interface WriteProblem {
  readonly reason: string;
  readonly message: string;
}

/** After this time without a successful write, events are delivered without being stored (milliseconds). */
const GRACE_MS = 30_000;
/** Between two writes that were refused for good (milliseconds). */
const REFUSED_MS = 30_000;

/** Whether a journal can be written: how long writes may fail before events are delivered from memory, and when to try again. */
export class Durability {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #changed: (problem: WriteProblem | undefined) => void;
  readonly #mayGiveUp: () => boolean;
  #failingSince: number | undefined;
  #trouble: WriteProblem | undefined;

  /**
   * `changed` is called with each new problem, and with undefined when writes succeed again. `mayGiveUp`: whether failed writes may lead to
   * delivery from memory now.
   */
  constructor(clock: Clock, mayGiveUp: () => boolean, changed: (trouble: WriteProblem | undefined) => void) {
    this.#clock = clock;
    this.#backoff = new Backoff(clock);
    this.#changed = changed;
    this.#mayGiveUp = mayGiveUp;
  }

  /** Whether nothing can be stored: events are delivered from memory at once. */
  get hasGivenUp(): boolean {
    return this.#trouble !== undefined;
  }

  /** Why nothing can be stored. */
  get trouble(): WriteProblem | undefined {
    return this.#trouble;
  }

  /** A write has failed and may succeed later. Returns the wait before the next one (milliseconds). */
  failed(trouble: WriteProblem): number {
    const now = this.#clock.monotonic();
    this.#failingSince ??= now;
    const left = this.#failingSince + GRACE_MS - now;
    if (left <= 0 && this.#mayGiveUp()) this.giveUp(trouble);
    const wait = this.#backoff.next();
    return left > 0 && !this.hasGivenUp ? Math.min(wait, left) : wait;
  }

  /** A write was refused and would be refused again. Returns the wait before the next one (milliseconds). */
  refused(trouble: WriteProblem): number {
    if (!this.#mayGiveUp()) return this.failed(trouble);
    this.giveUp(trouble);
    return Math.max(REFUSED_MS, this.#backoff.next());
  }

  /** Delivers from memory from now on, until a write succeeds. */
  giveUp(trouble: WriteProblem): void {
    if (!isDeepStrictEqual(trouble, this.#trouble)) this.#changed(trouble);
    this.#trouble = trouble;
  }

  succeeded(): void {
    this.#failingSince = undefined;
    this.#backoff.reset();
    if (this.#trouble !== undefined) this.#changed(undefined);
    this.#trouble = undefined;
  }
}
