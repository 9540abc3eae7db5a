import { derive, DEFAULT_FAILURE_AFTER_MS, type Derived } from '../derive.ts';
import { emptyBaseline } from '../baseline.ts';
import type { Observed } from '../observed.ts';
import { begin, initialStatus, poll, type OperatorStatus, type TargetChange } from '../operator.ts';
import { line } from './expected.ts';
import { planOf } from './history.ts';

/** The first minute of a night; `clock(n)` is n seconds into it. */
export const clock = (seconds: number): number => Date.parse('2026-03-01T20:00:00Z') + seconds * 1000;

export const OPTIONS = { failureAfterMs: DEFAULT_FAILURE_AFTER_MS };

const TARGETS = [
  { name: 'db', type: 'rds' },
  { name: 'web', type: 'eks' },
];

/** A night of two targets, db and web, begun `seconds` into it. */
export const nightOf = (cycle: string, status = initialStatus, seconds = 0): OperatorStatus =>
  begin(status, 'shutdown', cycle, TARGETS, clock(seconds));

export const morningOf = (cycle: string, status: OperatorStatus, seconds: number): OperatorStatus =>
  begin(status, 'wakeup', cycle, TARGETS, clock(seconds));

/** Both targets, each in a job of its own. */
export const moved = (
  status: OperatorStatus,
  states: readonly [TargetChange['state'], TargetChange['state']],
  seconds: number,
): OperatorStatus =>
  poll(
    status,
    TARGETS.flatMap(({ name }, index) => {
      const state = states[index];
      const now = status.executions[index]?.state;
      if (state === undefined || state === now) return [];
      return { target: name, state, jobRef: `team-a/${name}-${seconds}` };
    }),
    clock(seconds),
  );

/** One who watches a plan: each `see` is one write seen, `at` seconds into the night. */
export class Watcher {
  observed: Observed;
  #rv = 100;
  readonly #retries: number;
  readonly #options: { readonly failureAfterMs: number };

  constructor({ from = emptyBaseline('epoch'), retries = 3, options = OPTIONS } = {}) {
    this.observed = from;
    this.#retries = retries;
    this.#options = options;
  }

  /** One who has seen these writes, in this order. */
  static after(
    writes: readonly OperatorStatus[],
    options: ConstructorParameters<typeof Watcher>[0] = {},
  ): Watcher {
    const watcher = new Watcher(options);
    for (const status of writes) watcher.see(status);
    return watcher;
  }

  see(status: OperatorStatus, at = 0, retries = this.#retries): Derived {
    this.#rv++;
    return this.lookAgain(status, at, retries);
  }

  /** The same object again, later. */
  lookAgain(status: OperatorStatus, at: number, retries = this.#retries): Derived {
    const plan = planOf(status, { rv: this.#rv, retries });
    const derived = derive(this.observed, plan, clock(at), this.#options);
    this.observed = derived.observed;
    return derived;
  }

  /** What a write says, as lines. */
  lines(status: OperatorStatus, at = 0, retries = this.#retries): string[] {
    return this.see(status, at, retries).events.map(line);
  }
}
