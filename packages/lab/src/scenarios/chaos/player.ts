import {
  begin,
  fail,
  initialStatus,
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
import { pause } from '../../wait.ts';
import type { Deletion, PlanHistory, StatusWrite } from '../../record.ts';

export interface PlayerOptions {
  /** Sends the status to the control plane; resolves with the version of the plan. */
  readonly write: (status: OperatorStatus) => Promise<string>;
  /** Resolves when hnotif has stored this version of the plan or a later one, and few messages of the plan wait; or the signal aborts. Undefined: no write waits for hnotif. */
  readonly kept?: ((version: string, signal: AbortSignal) => Promise<void>) | undefined;
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

/** Plays the operator of one plan: nights that succeed, fail, or are retried; mornings; re-runs. Records its writes. */
export class Player {
  readonly namespace: string;
  readonly history: PlanHistory & { deleted?: Deletion };
  uid = '';
  readonly #retired = new AbortController();
  readonly #options: PlayerOptions;
  readonly #writes: StatusWrite[] = [];
  readonly targets: readonly { readonly name: string; readonly type: string }[];
  #status = initialStatus;
  #at = 0;
  #cycles = 0;
  #jobs = 0;

  constructor(
    { namespace, name }: { readonly namespace: string; readonly name: string },
    spec: { readonly labels: Readonly<Record<string, string>>; readonly retries: number },
    targets: readonly { readonly name: string; readonly type: string }[],
    options: PlayerOptions,
  ) {
    this.namespace = namespace;
    this.history = { name, namespace, ...spec, writes: this.#writes };
    this.targets = targets;
    this.#options = options;
  }

  /** The plan was created. */
  created(from: number, uid: string): void {
    this.uid = uid;
    this.#writes.push({ from, to: Date.now(), status: {} });
  }

  /** Writes nothing more. `play` resolves when the last write has its answer. */
  retire(): void {
    this.#retired.abort();
  }

  /** Plays until it retires or the signal aborts, even in the middle of a night. */
  async play(): Promise<void> {
    const { dice, reruns } = this.#options;
    await this.#write((status) => status);
    while (!this.#done) {
      const cycle = `c${++this.#cycles}`;
      let slept = await this.#run('shutdown', cycle);
      if (slept && reruns && dice.hits(0.15)) slept = await this.#run('shutdown', cycle);
      if (slept) await this.#run('wakeup', cycle);
    }
  }

  get #over(): AbortSignal {
    return AbortSignal.any([this.#options.signal, this.#retired.signal]);
  }

  get #done(): boolean {
    return this.#options.signal.aborted || this.#retired.signal.aborted;
  }

  /** One run with its retries. Resolves with whether it succeeded. */
  async #run(operation: Operation, cycle: string): Promise<boolean> {
    const { dice, errorLength } = this.#options;
    const isStormy = errorLength !== undefined;
    const error = 'some targets failed'.padEnd(errorLength ?? 0, ' and failed');
    await this.#write((status, at) => begin(status, operation, cycle, this.targets, at));
    const bestEffort = dice.hits(isStormy ? 0 : 0.2);
    for (
      let failing = isStormy ? 1 : dice.hits(0.35) ? 0.6 : 0.05;
      !this.#done;
      failing /= isStormy ? 1.1 : 2
    ) {
      await this.#work(failing);
      const failed = this.#status.executions.some(({ state }) => state === 'Failed');
      if (!failed || bestEffort) break;
      await this.#write(recordFailure);
      await this.#write((status, at) => fail(status, error, at));
      await pause(ERROR_MS, this.#over);
      if (this.#status.retryCount >= this.history.retries) {
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
    while (!this.#done) {
      const changes = this.#status.executions.flatMap(({ target, state }) =>
        this.#next(target, state, failing),
      );
      if (changes.length > 0) await this.#write((status, at) => poll(status, changes, at));
      const { executions } = this.#status;
      if (executions.every(({ state }) => state !== 'Pending' && state !== 'Running')) return;
    }
  }

  #next(target: string, state: string, failing: number): TargetChange[] {
    const { dice } = this.#options;
    if (dice.hits(0.3)) return [];
    if (state === 'Running')
      return [{ target, state: dice.hits(failing) ? 'Failed' : 'Completed', message: 'done' }];
    if (state !== 'Pending') return [];
    if (dice.hits(failing / 10)) return [{ target, state: 'Aborted' }];
    const jobRef = `jobs/${target}-${++this.#jobs}`;
    return [{ target, state: dice.hits(0.15) ? 'Completed' : 'Running', jobRef }];
  }

  /** One write, after a pause. The operator's clock advances by at least a second. */
  async #write(step: (status: OperatorStatus, at: number) => OperatorStatus): Promise<void> {
    const { dice, kept, paceMs, write } = this.#options;
    // Some writes follow each other at once, so that two of them are in one gap.
    await pause(dice.hits(0.2) ? 0 : paceMs * 2.5 * dice.next(), this.#over);
    if (this.#done) return;
    this.#at = Math.max(Math.floor(Date.now() / 1000) * 1000, this.#at + 1_000);
    this.#status = step(this.#status, this.#at);
    const from = Date.now();
    const version = await write(this.#status);
    this.#writes.push({ from, to: Date.now(), status: this.#status, version });
    if (!dice.hits(UNKEPT)) await kept?.(version, this.#over);
  }
}
