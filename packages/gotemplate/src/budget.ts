import { BudgetError } from './errors.ts';

/** Numbers from 0. Infinity means no limit. */
export interface Limits {
  /** Milliseconds of an execution, by the option `clock`. Default 1000. */
  readonly time: number;
  /** Units of work: about one for each evaluated node, each element, or each hundred bytes. Default 20,000,000. */
  readonly steps: number;
  /** Bytes that functions may create in all: strings, and 16 bytes for each element of a container. Default 64 MiB. */
  readonly memory: number;
  /** Characters written (UTF-16 units). Default 16 Mi. */
  readonly output: number;
  /** Nested `template` calls. Default 100,000, as in Go. */
  readonly depth: number;
  /**
   * The longest text that is parsed, in UTF-16 units. Default 1 Mi. Parsing takes linear time and has no other limit.
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

/** Units of work between two checks of the clock. */
const STRIDE = 4096;

/**
 * The budget that one execution has left. `spend` is a subtraction and a comparison, cheap enough for every loop. It
 * checks the clock once in 4096 units, so every template meets its deadline. The time begins at the first check: most
 * templates end before, and a look at the clock costs more than some of them.
 *
 * Rules for functions: before work that is not constant, call `spend(n)` (n elements, or bytes / 64). Before you create
 * strings or containers that are larger than the arguments, call `grow(bytes)`.
 */
export class Budget {
  readonly #limits: Limits;
  readonly #now: () => number;
  #deadline: number | undefined;
  #slice = STRIDE;
  #steps: number;
  #memory: number;

  /** @param now milliseconds, never less than before. */
  constructor(limits: Limits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#steps = limits.steps;
    this.#memory = limits.memory;
  }

  /** Pays for `work` units; throws a {@link BudgetError} if no steps or no time are left. */
  spend(work: number): void {
    this.#slice -= work;
    if (this.#slice < 0) this.#settle();
  }

  /** Pays for memory before it is allocated; throws a {@link BudgetError} if none is left. */
  grow(bytes: number): void {
    this.#memory -= bytes;
    // Not `< 0`: NaN, the result of some overflows, must fail too.
    if (!(this.#memory >= 0))
      throw new BudgetError('memory', `exceeded the memory limit (${this.#limits.memory} bytes)`);
  }

  /** Pays for new elements of a container: work and memory. */
  hold(elements: number): void {
    this.spend(elements);
    this.grow(16 * elements);
  }

  /** Checks the length of the output so far. */
  written(length: number): void {
    if (length > this.#limits.output)
      throw new BudgetError('output', `exceeded the output limit (${this.#limits.output} characters)`);
  }

  /** Checks the clock now. For work whose cost is known only at its end. */
  check(): void {
    this.#settle();
  }

  #settle(): void {
    this.#steps -= STRIDE - this.#slice;
    this.#slice = STRIDE;
    if (!(this.#steps >= 0))
      throw new BudgetError('steps', `exceeded the step limit (${this.#limits.steps})`);
    const now = this.#now();
    this.#deadline ??= now + this.#limits.time;
    if (now > this.#deadline)
      throw new BudgetError('time', `exceeded the time limit (${this.#limits.time} ms)`);
  }
}
