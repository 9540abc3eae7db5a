import {
  begin,
  fail,
  manualRetry,
  poll,
  recordFailure,
  retry,
  succeed,
  type Operation,
  type OperatorStatus,
  type TargetChange,
} from '../../../../core/src/lifecycle/operator.ts';
import type { Dice } from '../../dice.ts';
import type { History, RecordedTeam } from '../../recorded-team.ts';
import type { Step } from '../../team.ts';
import { pause } from '../../wait.ts';

export interface PlayerOptions {
  readonly team: RecordedTeam;
  /** The plan that it creates. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly retries: number;
  readonly targets: readonly string[];
  /** Resolves when hnotif has stored this version of the plan or a later one, and few messages of the plan wait; or the signal aborts. Undefined: no write waits for hnotif. */
  readonly kept?: ((uid: string, version: string, signal: AbortSignal) => Promise<void>) | undefined;
  readonly dice: Dice;
  /** The average time between two writes (milliseconds). */
  readonly paceMs: number;
  /** Whether a run may begin again with the same cycle and operation. */
  readonly reruns: boolean;
  /** Most nights fail again and again, with errors of this many characters. Default: some nights fail, with short errors. */
  readonly errorLength?: number | undefined;
  /** Ends the play. */
  readonly signal: AbortSignal;
}

/** The time between an error and the retry (milliseconds). Messages show whole seconds: the checker could not distinguish two with the same text. */
const ERROR_MS = 1_200;

/** The share of writes that the next one does not wait for. */
const UNKEPT = 0.1;

/** Plays the operator of one plan: nights that succeed, fail, or are retried; mornings; re-runs. */
export class Player {
  readonly options: PlayerOptions;
  /** Resolves when the play has ended, and the last write has its answer. */
  readonly ended: Promise<void>;
  readonly #retired = new AbortController();
  readonly #over: AbortSignal;
  #history: History | undefined;
  #cycles = 0;
  #jobs = 0;

  constructor(options: PlayerOptions) {
    this.options = options;
    this.#over = AbortSignal.any([options.signal, this.#retired.signal]);
    this.ended = this.#play();
  }

  get uid(): string {
    return this.#history?.uid ?? '';
  }

  /** Writes nothing more. Resolves when the play has ended. */
  retire(): Promise<void> {
    this.#retired.abort();
    return this.ended;
  }

  /** Plays until it retires or the signal aborts, even in the middle of a night. */
  async #play(): Promise<void> {
    const { dice, reruns, team, name, targets, labels, retries } = this.options;
    await team.make(name, targets, { labels, retries });
    this.#history = team.historyOf(name);
    await this.#write((status) => status);
    while (!this.#over.aborted) {
      const cycle = `c${++this.#cycles}`;
      let slept = await this.#run('shutdown', cycle);
      if (slept && reruns && dice.hits(0.15)) slept = await this.#run('shutdown', cycle);
      if (slept) await this.#run('wakeup', cycle);
    }
  }

  get #status(): OperatorStatus {
    return this.options.team.statusOf(this.options.name);
  }

  /** One run with its retries. Resolves with whether it succeeded. */
  async #run(operation: Operation, cycle: string): Promise<boolean> {
    const { dice, errorLength, retries, targets } = this.options;
    const all = targets.map((name) => ({ name, type: 'rds' }));
    const isStormy = errorLength !== undefined;
    const error = 'some targets failed'.padEnd(errorLength ?? 0, ' and failed');
    await this.#write((status, at) => begin(status, operation, cycle, all, at));
    const bestEffort = dice.hits(isStormy ? 0 : 0.2);
    for (
      let failing = isStormy ? 1 : dice.hits(0.35) ? 0.6 : 0.05;
      !this.#over.aborted;
      failing /= isStormy ? 1.1 : 2
    ) {
      await this.#work(failing);
      const failed = this.#status.executions.some(({ state }) => state === 'Failed');
      if (!failed || bestEffort) break;
      await this.#write(recordFailure);
      await this.#write((status, at) => fail(status, error, at));
      await pause(ERROR_MS, this.#over);
      if (this.#status.retryCount >= retries) {
        if (dice.hits(isStormy ? 0.1 : 0.6)) return false;
        await this.#write(manualRetry);
      }
      await this.#write(retry);
    }
    await this.#write(succeed);
    return true;
  }

  /** Polls until every target has ended. */
  async #work(failing: number): Promise<void> {
    while (!this.#over.aborted) {
      const changes = this.#status.executions.flatMap(({ target, state }) =>
        this.#next(target, state, failing),
      );
      if (changes.length > 0) await this.#write((status, at) => poll(status, changes, at));
      const { executions } = this.#status;
      if (executions.every(({ state }) => state !== 'Pending' && state !== 'Running')) return;
    }
  }

  #next(target: string, state: string, failing: number): TargetChange[] {
    const { dice } = this.options;
    if (dice.hits(0.3)) return [];
    if (state === 'Running')
      return [{ target, state: dice.hits(failing) ? 'Failed' : 'Completed', message: 'done' }];
    if (state !== 'Pending') return [];
    if (dice.hits(failing / 10)) return [{ target, state: 'Aborted' }];
    const jobRef = `jobs/${target}-${++this.#jobs}`;
    return [{ target, state: dice.hits(0.15) ? 'Completed' : 'Running', jobRef }];
  }

  /** One write, after a pause. */
  async #write(step: Step): Promise<void> {
    const { dice, kept, name, paceMs, team } = this.options;
    // Some writes follow each other at once, so that two of them are in one gap.
    await pause(dice.hits(0.2) ? 0 : paceMs * 2.5 * dice.next(), this.#over);
    if (this.#over.aborted) return;
    const { resourceVersion } = (await team.write(name, step)).metadata;
    if (!dice.hits(UNKEPT)) await kept?.(this.uid, resourceVersion, this.#over);
  }
}
