import { BudgetError } from './errors.ts';

/** Numbers from 0; Infinity is no bound. */
export interface Limits {
  /** Milliseconds from the start of an execution. Default 1000. */
  readonly time: number;
  /** Units of work: about one a node that is evaluated, an element or a hundred bytes that is touched. Default 20,000,000. */
  readonly steps: number;
  /** Bytes of strings, and elements of containers (counted as 16 bytes each), that functions may make in all. Default 64 MiB. */
  readonly memory: number;
  /** Characters written (UTF-16 units). Default 16 Mi. */
  readonly output: number;
  /** Nested `template` calls. Default 100,000, which is Go's own bound. */
  readonly depth: number;
  /**
   * The longest text that is parsed, in UTF-16 units. Default 1 Mi. Parsing takes time in proportion to the text, and
   * is under no other limit.
   */
  readonly source: number;
}

export const DEFAULT_LIMITS: Limits = {
  time: 1000,
  steps: 20_000_000,
  memory: 64 << 20,
  output: 16 << 20,
  depth: 100_000,
  source: 1 << 20,
};

/** Work between two looks at the clock. */
const STRIDE = 4096;

/**
 * What one execution may still spend. `spend` is a subtraction and a comparison, cheap enough to stand in every loop; it
 * looks at the clock once in 4096 units, so that a deadline holds whatever the template does.
 *
 * Rule for functions: whatever is more than constant work calls `spend(n)` (n elements, or bytes / 64) before doing it, and
 * whatever makes strings or containers larger than its arguments calls `grow(bytes)` before making them.
 */
export class Budget {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #deadline: number;
  #slice = STRIDE;
  #steps: number;
  #memory: number;

  /** @param now milliseconds, monotonic. */
  constructor(limits: Limits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#deadline = now() + limits.time;
    this.#steps = limits.steps;
    this.#memory = limits.memory;
  }

  /** Pays for `work` units; throws a {@link BudgetError} when steps or time are used up. */
  spend(work: number): void {
    this.#slice -= work;
    if (this.#slice < 0) this.#settle();
  }

  /** Pays for memory that is about to be taken; throws a {@link BudgetError} when it is used up. */
  grow(bytes: number): void {
    this.#memory -= bytes;
    // Written so that NaN, which an overflowing product may give, is too much.
    if (!(this.#memory >= 0))
      throw new BudgetError('memory', `exceeded the memory limit (${this.#limits.memory} bytes)`);
  }

  /** Pays for elements of a container that are about to be made: the work and the memory. */
  hold(elements: number): void {
    this.spend(elements);
    this.grow(16 * elements);
  }

  /** Checks the length of what was written so far. */
  written(length: number): void {
    if (length > this.#limits.output)
      throw new BudgetError('output', `exceeded the output limit (${this.#limits.output} characters)`);
  }

  /** Looks at the clock at once, for work whose extent shows only when it is done. */
  check(): void {
    this.#settle();
  }

  #settle(): void {
    this.#steps -= STRIDE - this.#slice;
    this.#slice = STRIDE;
    if (!(this.#steps >= 0))
      throw new BudgetError('steps', `exceeded the step limit (${this.#limits.steps})`);
    if (this.#now() > this.#deadline)
      throw new BudgetError('time', `exceeded the time limit (${this.#limits.time} ms)`);
  }
}
