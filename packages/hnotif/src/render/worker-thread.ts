import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import type { Job, Message } from './job.ts';
import { TEMPLATE_LIMITS } from './limits.ts';
import type { Rendered } from './template.ts';

/** How a job ended, and how many milliseconds a worker has worked at it. After anything but an answer the thread is dead. */
export type JobResult = JobEnd & { readonly ms: number };

type JobEnd =
  | { readonly kind: 'answered'; readonly rendered: Rendered }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'out-of-memory' }
  | { readonly kind: 'died'; readonly message: string };

const { execution, grace, start, heap } = TEMPLATE_LIMITS;

/** Of the heap, for what has just been made; Node's own 48 MiB would be another third on top. */
const YOUNG_MB = 16;

/** How long each stage may take, by what the worker said last. */
const STAGE_MS = {
  waiting: start.value,
  compiling: execution.value + grace.value,
  executing: execution.value + grace.value,
} as const;

/** A worker thread that does one job at a time. It holds the process up only while it does. */
export class WorkerThread {
  readonly #worker: Worker;
  readonly #clock: Clock;
  #alive = true;
  #onEnd: ((how: JobEnd, ms?: number) => void) | undefined;
  /** When the worker said that it had begun. */
  #startedAt: number | undefined;
  #cancelTimer = (): void => {};

  /** @param url the bundled worker.ts. */
  constructor(url: URL, clock: Clock) {
    this.#clock = clock;
    this.#worker = new Worker(url, {
      name: 'hnotif-template',
      // It needs nothing of the environment and shall see none of it; nor do flags of the process concern it.
      env: {},
      execArgv: [],
      argv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: heap.value - YOUNG_MB,
        maxYoungGenerationSizeMb: YOUNG_MB,
      },
    });
    this.#worker.unref();
    this.#worker.on('message', (message: Message) => {
      this.#onMessage(message);
    });
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      this.#end(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? { kind: 'out-of-memory' }
          : { kind: 'died', message: error.message },
      );
    });
    this.#worker.on('exit', (code) => {
      this.#end({ kind: 'died', message: `it exited with ${code}` });
    });
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** One job at a time. Rejects for a job that is no plain data. */
  run(job: Job): Promise<JobResult> {
    return new Promise((resolve) => {
      if (!this.#alive) {
        resolve({ kind: 'died', message: 'it ended while it had nothing to do', ms: 0 });
        return;
      }
      this.#worker.postMessage(job);
      this.#worker.ref();
      this.#startedAt = undefined;
      this.#onEnd = (how, ms = this.#elapsedMs()) => {
        resolve({ ...how, ms });
      };
      this.#startTimer('waiting');
    });
  }

  /** Ends it, whatever it does; a job that it has ends with it. */
  async end(): Promise<void> {
    this.#end({ kind: 'died', message: 'it was ended' });
    await this.#worker.terminate();
  }

  #onMessage(message: Message): void {
    if (!this.#alive) return;
    if (message.stage !== 'done') {
      this.#startedAt ??= this.#clock.monotonic();
      this.#startTimer(message.stage);
      return;
    }
    this.#worker.unref();
    this.#settle({ kind: 'answered', rendered: message.rendered }, message.ms);
  }

  /** Milliseconds since the worker began. That it takes time to start is not the job's doing. */
  #elapsedMs(): number {
    return this.#startedAt === undefined ? 0 : this.#clock.monotonic() - this.#startedAt;
  }

  #startTimer(stage: keyof typeof STAGE_MS): void {
    this.#cancelTimer();
    let armed = true;
    const cancel = this.#clock.after(STAGE_MS[stage], () => {
      // Where this thread itself was held up, the worker's word may be waiting behind the timer.
      setImmediate(() => {
        if (!armed) return;
        void this.#worker.terminate();
        this.#end(
          stage === 'waiting'
            ? { kind: 'died', message: `it did not start within ${start.value / 1000} s` }
            : { kind: 'timed-out' },
        );
      });
    });
    this.#cancelTimer = () => {
      armed = false;
      cancel();
    };
  }

  #end(how: JobEnd): void {
    this.#alive = false;
    this.#settle(how);
  }

  #settle(how: JobEnd, ms?: number): void {
    this.#cancelTimer();
    const ended = this.#onEnd;
    this.#onEnd = undefined;
    ended?.(how, ms);
  }
}
