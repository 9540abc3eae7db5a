import fc from 'fast-check';
import { parsePlan } from '../../resources/parse-plan.ts';
import type { Plan } from '../../resources/plan.ts';
import {
  begin,
  fail,
  initialStatus,
  manualRetry,
  poll,
  recordFailure,
  reset,
  resume,
  retry,
  succeed,
  suspend,
  type Operation,
  type OperatorStatus,
  type TargetChange,
} from '../operator.ts';

/** What the operator did in one write. `touch` changes a label or the spec and no status. */
type Deed =
  | 'create'
  | 'touch'
  | 'begin'
  | 'poll'
  | 'record'
  | 'fail'
  | 'retry'
  | 'manualRetry'
  | 'succeed'
  | 'suspend'
  | 'resume'
  | 'reset';

/** One write of a script: what was done, by which run, and what the plan then was. */
export interface Write {
  readonly did: Deed;
  /** Counts the executions the operator began. */
  readonly run: number;
  readonly status: OperatorStatus;
  /**
   * What `succeed` left in the history: a row that tells of success; one that tells of an end alone, since a target had
   * failed (best effort); or nothing new, since a night's row is not rewritten by its re-run.
   */
  readonly recorded: 'success' | 'end' | 'nothing';
  /** How many retries this Error has behind it. */
  readonly retries: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly plan: Plan;
}

export interface History {
  /** `spec.behavior.retries`. */
  readonly retries: number;
  /** How a counterexample is printed. */
  readonly [fc.toStringMethod]: () => string;
  readonly writes: readonly Write[];
}

const T0 = Date.parse('2026-03-01T19:00:00Z');
const UNFINISHED = ['Pending', 'Running'];

type Draw = fc.GeneratorValue;

interface PlayerOptions {
  /** Go leaves a zero out of the JSON, a player that patches does not. */
  readonly omitsZeros: boolean;
  /** Whether a run that was given up may be begun again under its own cycle, as every morning is. */
  readonly beginsAgain: boolean;
  /** Whether a plan at rest may fail, be retried and come to its end once more. */
  readonly failsAtRest?: boolean;
  /** Seconds between two writes, at least. Default 1. */
  readonly pause?: number;
}

/** The operator at work on one plan, by the whims of `draw`. */
class Player {
  readonly writes: Write[] = [];
  readonly #draw: Draw;
  readonly #options: PlayerOptions;
  readonly #targets: { readonly name: string; readonly type: string }[];
  readonly #retries: number;
  /** `spec.behavior.mode`: a failed target does not fail the run. */
  readonly #bestEffort: boolean;
  #status: OperatorStatus = initialStatus;
  #run = 0;
  #jobs = 0;
  #at = T0;
  #rv = 1000;

  constructor(draw: Draw, options: PlayerOptions) {
    this.#draw = draw;
    this.#options = options;
    const count = draw(fc.integer, { min: 1, max: 3 });
    this.#targets = ['db', 'web', 'batch']
      .slice(0, count)
      .map((name) => ({ name, type: `${name}-executor` }));
    this.#retries = draw(fc.integer, { min: 0, max: 2 });
    this.#bestEffort = draw(fc.boolean);
  }

  play(): History {
    this.#write('create', initialStatus);
    const nights = this.#draw(fc.integer, { min: 1, max: 3 });
    for (let night = 1; night <= nights; night++) this.#night(`cycle-${night}`);
    const { writes } = this;
    return { retries: this.#retries, writes, [fc.toStringMethod]: () => writes.map(describe).join('; ') };
  }

  #night(cycle: string): void {
    if (!this.#runToItsEnd('shutdown', cycle)) {
      // Given up; sometimes it is begun again under the same cycle, sometimes the next night has its own.
      if (!this.#options.beginsAgain || !this.#chance(2) || !this.#runToItsEnd('shutdown', cycle)) return;
    }
    while (this.#chance(4)) if (!this.#runToItsEnd('shutdown', cycle)) return;
    this.#rest();
    while (!this.#runToItsEnd('wakeup', cycle));
    if (this.#chance(4)) while (!this.#runToItsEnd('wakeup', cycle));
    this.#rest();
  }

  /** At rest: a label, or suspended and resumed there. */
  #rest(): void {
    if (this.#options.failsAtRest === true && this.#chance(3)) {
      this.#errorAndRetry();
      this.#succeed();
    }
    if (this.#chance(5)) this.#write('touch', this.#status);
    if (!this.#chance(5)) return;
    const { phase } = this.#status;
    this.#write('suspend', suspend(this.#status, this.#tick()));
    this.#write('resume', resume(this.#status, phase, this.#tick()));
  }

  /** False when the run was given up. */
  #runToItsEnd(operation: Operation, cycle: string): boolean {
    this.#run++;
    this.#write('begin', begin(this.#status, operation, cycle, this.#targets, this.#tick()));
    for (let failures = 0; ; failures++) {
      for (let polls = this.#draw(fc.integer, { min: 0, max: 2 }); polls > 0; polls--) this.#somePoll();
      if (this.#chance(5) && this.#hasStarted()) {
        const { phase } = this.#status;
        this.#write('suspend', suspend(this.#status, this.#tick()));
        if (this.#chance(2)) this.#finish(['Completed', 'Failed'], 'Running');
        if (this.#mayGiveUp() && this.#chance(3)) return this.#giveUp();
        this.#write('resume', resume(this.#status, phase, this.#tick()));
      }
      if (failures >= 4 || this.#chance(2)) break;
      if (!this.#failure()) return false;
    }
    this.#finish(this.#bestEffort ? ['Completed', 'Failed', 'Aborted'] : ['Completed'], ...UNFINISHED);
    if (!this.#bestEffort && this.#has('Failed')) {
      // A strict plan never ends well with a failed target.
      this.#errorAndRetry();
    }
    if (this.#chance(8)) this.#write('touch', this.#status);
    this.#succeed();
    return true;
  }

  #succeed(): void {
    const before = rowOf(this.#status);
    const status = succeed(this.#status, this.#tick());
    const row = rowOf(status);
    this.#write('succeed', status, row === before ? 'nothing' : row?.success === true ? 'success' : 'end');
  }

  /** Into Error and out of it again; false when the run was given up there. */
  #failure(): boolean {
    if (this.#bestEffort && this.#has('Failed')) return true;
    if (!this.#bestEffort && this.#chance(2)) this.#finish(['Failed', 'Completed'], ...UNFINISHED);
    // With nothing left to do there is nothing to fail.
    if (this.#status.executions.every(({ state }) => state === 'Completed')) return true;
    this.#error();
    if (this.#chance(6)) this.#write('touch', this.#status);
    if (this.#mayGiveUp() && this.#chance(4)) {
      this.#write('suspend', suspend(this.#status, this.#tick()));
      return this.#giveUp();
    }
    if (this.#status.retryCount >= this.#retries) this.#write('manualRetry', manualRetry(this.#status));
    this.#write('retry', retry(this.#status, this.#tick()));
    return true;
  }

  #error(): void {
    if (this.#hasStarted()) this.#write('record', recordFailure(this.#status, this.#tick()));
    this.#write('fail', fail(this.#status, `failure ${this.writes.length}`, this.#tick()));
  }

  #errorAndRetry(): void {
    this.#error();
    this.#write('retry', retry(this.#status, this.#tick()));
    this.#finish(['Completed'], ...UNFINISHED);
  }

  #giveUp(): false {
    this.#write('reset', reset(this.#status, this.#tick()));
    return false;
  }

  /** Moves some of the targets that are not done. */
  #somePoll(): void {
    // A running target may lose its job, and waits for another.
    this.#moves(
      (state) => UNFINISHED.includes(state) && !this.#chance(2),
      (state) =>
        state === 'Running' ? ['Completed', 'Failed', 'Pending'] : ['Running', 'Completed', 'Failed'],
    );
  }

  /** Brings every target that is in one of `from` to one of `ends`, in one write. */
  #finish(ends: readonly string[], ...from: readonly string[]): void {
    this.#moves(
      (state) => from.includes(state),
      () => ends,
    );
  }

  #moves(isMoved: (state: string) => boolean, nexts: (state: string) => readonly string[]): void {
    const changes = this.#status.executions.flatMap(({ target, state }): TargetChange[] =>
      isMoved(state)
        ? [this.#change(target, this.#draw(fc.constantFrom<string[]>, ...nexts(state)), state)]
        : [],
    );
    if (changes.length > 0) this.#write('poll', poll(this.#status, changes, this.#tick()));
  }

  #change(target: string, next: string, state: string): TargetChange {
    const starts = state === 'Pending' && next !== 'Aborted';
    return {
      target,
      state: next as TargetChange['state'],
      message: `${next} at ${this.writes.length}`,
      ...(starts ? { jobRef: `team-a/job-${++this.#jobs}` } : {}),
    };
  }

  #mayGiveUp(): boolean {
    return this.#hasStarted() && (this.#options.beginsAgain || this.#status.currentOperation === 'shutdown');
  }

  #has(state: string): boolean {
    return this.#status.executions.some((execution) => execution.state === state);
  }

  #hasStarted(): boolean {
    return this.#status.executions.some(({ state }) => state !== 'Pending');
  }

  #write(did: Deed, status: OperatorStatus, recorded: Write['recorded'] = 'nothing'): void {
    this.#status = status;
    this.#rv += this.#draw(fc.integer, { min: 1, max: 500 });
    this.writes.push({
      did,
      run: this.#run,
      status,
      recorded,
      retries: status.retryCount,
      at: this.#at,
      plan: planOf(status, { ...this.#options, rv: this.#rv, retries: this.#retries }),
    });
  }

  /** Time passes: by at least a second where the times of the plan must differ, because they have seconds only. */
  #tick(): number {
    const { pause: min = 1 } = this.#options;
    return (this.#at += 1000 * this.#draw(fc.integer, { min, max: min === 0 ? 2 : 60 }));
  }

  /** One in `n`. */
  #chance(n: number): boolean {
    return this.#draw(fc.integer, { min: 1, max: n }) === 1;
  }
}

const describe = ({ did, run, status }: Write, index: number): string =>
  `${index} ${did} ${run} ${status.executions.map(({ state }) => state).join()}`;

const rowOf = (status: OperatorStatus) => {
  const cycle = status.executionHistory.find(({ cycleId }) => cycleId === status.currentCycleID);
  return status.currentOperation === 'wakeup' ? cycle?.wakeupExecution : cycle?.shutdownExecution;
};

/** A plan as the API server would give it, read as hnotif reads it. */
export function planOf(
  status: OperatorStatus,
  { rv, retries = 3, omitsZeros = false }: { rv: number; retries?: number; omitsZeros?: boolean },
): Plan {
  const { retryCount, ...rest } = status;
  return parsePlan({
    metadata: { name: 'office', namespace: 'team-a', uid: 'uid-1', resourceVersion: String(rv) },
    spec: { behavior: { retries } },
    status: omitsZeros && retryCount === 0 ? rest : { ...rest, retryCount },
  });
}

const played = (options: (draw: Draw) => PlayerOptions): fc.Arbitrary<History> =>
  fc.gen().map((draw) => new Player(draw, options(draw)).play());

/** Whole lives of a plan: nights and mornings with all that may go wrong in them. */
export const histories = played((draw) => ({ omitsZeros: draw(fc.boolean), beginsAgain: true }));

/**
 * The same without what cannot be told apart once several writes in a row went by unseen: a plan that leaves its zeros
 * out looks, before its first retry, like one that does not count its retries; and a run that was given up in Error and
 * begun again under its own cycle looks like a retry.
 */
export const plainHistories = played(() => ({ omitsZeros: false, beginsAgain: false }));

/** The same lives with plans that fail after their end, too; `pause`: seconds between two writes, at least. */
export const longHistories = (pause: number): fc.Arbitrary<History> =>
  played((draw) => ({ omitsZeros: draw(fc.boolean), beginsAgain: true, failsAtRest: true, pause }));
