import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import { Backoff } from '../cluster/backoff.ts';

/** Why what is accepted is not kept just now. */
export interface Trouble {
  readonly reason: string;
  readonly message: string;
}

/** After so long without a write that succeeded, what is accepted is delivered all the same (milliseconds). */
const PATIENCE_MS = 30_000;
/** Between two writes that were refused for good (milliseconds). */
const REFUSED_MS = 30_000;

/** How long writes may fail until what is accepted is delivered from memory, and when the next one is due. */
export class Patience {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #tell: (trouble: Trouble | undefined) => void;
  #failingSince: number | undefined;
  #trouble: Trouble | undefined;

  /** `tell` hears of each trouble that ends it, and of undefined when all is well again. */
  constructor(clock: Clock, tell: (trouble: Trouble | undefined) => void) {
    this.#clock = clock;
    this.#backoff = new Backoff(clock);
    this.#tell = tell;
  }

  /** Whether nothing can be kept, so that what is accepted is delivered at once. */
  get isOver(): boolean {
    return this.#trouble !== undefined;
  }

  /** A write has failed, which may pass. Returns the wait until the next one (milliseconds). */
  failed(trouble: Trouble): number {
    const now = this.#clock.monotonic();
    this.#failingSince ??= now;
    if (now - this.#failingSince >= PATIENCE_MS) this.end(trouble);
    const wait = this.#backoff.next();
    return this.isOver ? wait : Math.min(wait, this.#failingSince + PATIENCE_MS - now);
  }

  /** A write was refused for good. Returns the wait until the next one (milliseconds). */
  refused(trouble: Trouble): number {
    this.end(trouble);
    return Math.max(REFUSED_MS, this.#backoff.next());
  }

  end(trouble: Trouble): void {
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
