import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import { Backoff } from '../cluster/backoff.ts';

/** Why what is accepted is not kept just now. */
export interface Trouble {
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
  readonly #tell: (trouble: Trouble | undefined) => void;
  #failingSince: number | undefined;
  #trouble: Trouble | undefined;

  /** `tell` hears of each trouble that ends it, and of undefined when all is well again. */
  constructor(clock: Clock, tell: (trouble: Trouble | undefined) => void) {
    this.#clock = clock;
    this.#backoff = new Backoff(clock);
    this.#tell = tell;
  }

  /** Whether nothing can be kept, so that what is accepted is delivered from memory, at once. */
  get isLost(): boolean {
    return this.#trouble !== undefined;
  }

  /** Why nothing can be kept. */
  get trouble(): Trouble | undefined {
    return this.#trouble;
  }

  /** A write has failed, which may pass. Returns the wait until the next one (milliseconds). */
  failed(trouble: Trouble): number {
    const now = this.#clock.monotonic();
    this.#failingSince ??= now;
    if (now - this.#failingSince >= GRACE_MS) this.lose(trouble);
    const wait = this.#backoff.next();
    return this.isLost ? wait : Math.min(wait, this.#failingSince + GRACE_MS - now);
  }

  /** A write was refused for good. Returns the wait until the next one (milliseconds). */
  refused(trouble: Trouble): number {
    this.lose(trouble);
    return Math.max(REFUSED_MS, this.#backoff.next());
  }

  lose(trouble: Trouble): void {
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
