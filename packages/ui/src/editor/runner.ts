import { TEMPLATE_LIMITS } from '@hnotif/core/render';
import type { Answer, FromWorker, Job } from './job.ts';

/** What of a worker is used here. */
export interface WorkerLike {
  post(job: Job): void;
  end(): void;
}

export interface WorkerEvents {
  readonly said: (message: FromWorker) => void;
  /** It could not be loaded, or it failed outside any job. */
  readonly broke: () => void;
}

export type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** A newer job came before this one had begun. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'failed'; readonly message: string };

export interface RunnerOptions {
  readonly start: (events: WorkerEvents) => WorkerLike;
  /** Calls `run` after this time (milliseconds). Returns a function that cancels. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** A job has this time (milliseconds): five times what hnotif gives a template, because a browser does not tell the CPU time. */
export const LONGEST_MS = 5 * TEMPLATE_LIMITS.execution.value;

interface Task {
  readonly job: Job;
  readonly settle: (outcome: Outcome) => void;
}

/** Runs jobs in a worker, one at a time. Of jobs that wait, only the newest is run. */
export class Runner {
  readonly #options: RunnerOptions;
  #worker: WorkerLike | undefined;
  #isReady = false;
  #running: Task | undefined;
  #waiting: Task | undefined;
  #cancel = (): void => undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#start();
  }

  /** Never rejects. */
  run(job: Job): Promise<Outcome> {
    return new Promise((settle) => {
      this.#waiting?.settle({ kind: 'replaced' });
      this.#waiting = { job, settle };
      this.#next();
    });
  }

  close(): void {
    this.#end();
    this.#waiting?.settle({ kind: 'replaced' });
    this.#waiting = undefined;
    this.#settle({ kind: 'replaced' });
  }

  #start(): void {
    this.#isReady = false;
    const worker = this.#options.start({
      said: (message) => {
        if (worker !== this.#worker) return;
        this.#hear(message);
      },
      broke: () => {
        if (worker !== this.#worker) return;
        this.#end();
        this.#settle({
          kind: 'failed',
          message: 'the part that makes messages did not load; reload the page',
        });
      },
    });
    this.#worker = worker;
  }

  #end(): void {
    this.#cancel();
    this.#worker?.end();
    this.#worker = undefined;
  }

  #hear(message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        this.#isReady = true;
        if (this.#running === undefined) this.#next();
        else this.#post(this.#running);
        return;
      case 'loading':
        this.#isReady = false;
        this.#cancel();
        return;
      case 'answer':
        this.#settle(message);
        return;
      case 'failed':
        this.#settle({ kind: 'failed', message: `no message could be made: ${message.message}` });
    }
  }

  #next(): void {
    if (this.#running !== undefined || this.#waiting === undefined) return;
    this.#running = this.#waiting;
    this.#waiting = undefined;
    if (this.#worker === undefined) this.#start();
    if (this.#isReady) this.#post(this.#running);
  }

  #post({ job }: Task): void {
    this.#worker?.post(job);
    this.#cancel = this.#options.after(LONGEST_MS, () => {
      this.#timeOut();
    });
  }

  /** Ends the worker. A new one makes what is sent instead, unless there is a newer job. */
  #timeOut(): void {
    this.#end();
    const task = this.#running;
    if (task === undefined) return;
    if (task.job.timedOut) {
      this.#settle({ kind: 'failed', message: 'this browser was too slow to make the message; try again' });
      return;
    }
    if (this.#waiting !== undefined) {
      this.#settle({ kind: 'replaced' });
      return;
    }
    this.#running = { ...task, job: { ...task.job, timedOut: true } };
    this.#start();
  }

  #settle(outcome: Outcome): void {
    this.#cancel();
    const task = this.#running;
    this.#running = undefined;
    task?.settle(outcome);
    this.#next();
  }
}
