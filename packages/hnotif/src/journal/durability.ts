import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import { Backoff } from '../cluster/backoff.ts';

/** Why what is accepted is not kept just now. */
export interface WriteProblem {
  readonly reason: string;
  readonly message: string;
}

/** After so long without a write that succeeded, what is accepted is delivered all the same (milliseconds). */
const GRACE_MS = 30_000;
/** Between two writes that were refused for good (milliseconds). */
const REFUSED_MS = 30_000;

/** Whether a plan's journal can be written; how long writes may fail until deliveries go on from memory, and when the next write is due. */
export class Durability {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #tell: (problem: WriteProblem | undefined) => void;
  readonly #mayLose: () => boolean;
  #failingSince: number | undefined;
  #trouble: WriteProblem | undefined;

  /**
   * `tell` hears of each trouble that ends it, and of undefined when all is well again. `mayLose`: whether failing writes may end it
   * now. Default: always.
   */
  constructor(
    clock: Clock,
    tell: (trouble: WriteProblem | undefined) => void,
    mayLose: () => boolean = () => true,
  ) {
    this.#clock = clock;
    this.#backoff = new Backoff(clock);
    this.#tell = tell;
    this.#mayLose = mayLose;
  }

  /** Whether nothing can be kept, so that what is accepted is delivered from memory, at once. */
  get hasGivenUp(): boolean {
    return this.#trouble !== undefined;
  }

  /** Why nothing can be kept. */
  get trouble(): WriteProblem | undefined {
    return this.#trouble;
  }

  /** A write has failed, which may pass. Returns the wait until the next one (milliseconds). */
  failed(trouble: WriteProblem): number {
    const now = this.#clock.monotonic();
    this.#failingSince ??= now;
    const left = this.#failingSince + GRACE_MS - now;
    if (left <= 0 && this.#mayLose()) this.giveUp(trouble);
    const wait = this.#backoff.next();
    return left > 0 && !this.hasGivenUp ? Math.min(wait, left) : wait;
  }

  /** A write was refused for good. Returns the wait until the next one (milliseconds). */
  refused(trouble: WriteProblem): number {
    if (!this.#mayLose()) return this.failed(trouble);
    this.giveUp(trouble);
    return Math.max(REFUSED_MS, this.#backoff.next());
  }

  /** Nothing can be kept, whatever the API server says. */
  giveUp(trouble: WriteProblem): void {
    if (!isDeepStrictEqual(trouble, this.#trouble)) this.#tell(trouble);
    this.#trouble = trouble;
  }

  succeeded(): void {
    this.#failingSince = undefined;
    this.#backoff.reset();
    if (this.#trouble !== undefined) this.#tell(undefined);
    this.#trouble = undefined;
  }
}
