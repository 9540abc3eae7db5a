import { Worker } from 'node:worker_threads';
import type { Clock } from '@hnotif/core/clock';
import type { Answer, Job, Message } from './job.ts';
import { TEMPLATE_LIMITS } from '@hnotif/core/render';

/** How a batch of jobs ended. After anything but answers the thread is dead. */
export type BatchResult =
  /** The answers to the first jobs. */
  { readonly kind: 'answered'; readonly answers: readonly Answer[] } | BatchFailure;

export type BatchFailure =
  /** `ms`: how many milliseconds it ran. */
  | { readonly kind: 'timed-out' | 'out-of-memory'; readonly ms: number }
  | { readonly kind: 'died'; readonly message: string };

const { answer, start, heap } = TEMPLATE_LIMITS;

/** The part of the heap for new objects. Node's default of 48 MiB would add a third to the limit. */
const YOUNG_MB = 16;

/** The time limit of each stage, by the wall clock (milliseconds). */
const STAGE_MS = {
  waiting: start.value,
  compiling: answer.value,
  executing: answer.value,
} as const;

/** A worker thread. It runs one batch at a time, and keeps the process alive only meanwhile. */
export class WorkerThread {
  readonly #worker: Worker;
  readonly #clock: Clock;
  #alive = true;
  #onEnd: ((result: BatchResult) => void) | undefined;
  /** When the first job started (monotonic milliseconds). */
  #startedAt: number | undefined;
  #cancelTimer = (): void => {};

  /** @param url the bundled worker.ts. */
  constructor(url: URL, clock: Clock) {
    this.#clock = clock;
    this.#worker = new Worker(url, {
      name: 'hnotif-template',
      // Templates must not see the environment or the process's flags.
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
          ? { kind: 'out-of-memory', ms: this.#elapsedMs() }
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

  /** One batch at a time, of one job at least. Rejects jobs that are not plain data. */
  run(jobs: readonly Job[]): Promise<BatchResult> {
    return new Promise((resolve) => {
      if (!this.#alive) {
        resolve({ kind: 'died', message: 'it ended while it had nothing to do' });
        return;
      }
      this.#worker.postMessage(jobs);
      this.#worker.ref();
      this.#startedAt = undefined;
      this.#onEnd = resolve;
      this.#startTimer('waiting');
    });
  }

  /** Ends the thread and its batch. */
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
    this.#settle({ kind: 'answered', answers: message.answers });
  }

  /** Milliseconds since the first job started, without the start of the thread. */
  #elapsedMs(): number {
    return this.#startedAt === undefined ? 0 : this.#clock.monotonic() - this.#startedAt;
  }

  #startTimer(stage: keyof typeof STAGE_MS): void {
    this.#cancelTimer();
    let armed = true;
    const cancel = this.#clock.after(STAGE_MS[stage], () => {
      // If this thread was blocked, the worker's message may be waiting behind the timer.
      setImmediate(() => {
        if (!armed) return;
        void this.#worker.terminate();
        this.#end(
          stage === 'waiting'
            ? { kind: 'died', message: `it did not start within ${start.value / 1000} s` }
            : { kind: 'timed-out', ms: this.#elapsedMs() },
        );
      });
    });
    this.#cancelTimer = () => {
      armed = false;
      cancel();
    };
  }

  #end(result: BatchResult): void {
    this.#alive = false;
    this.#settle(result);
  }

  #settle(result: BatchResult): void {
    this.#cancelTimer();
    const ended = this.#onEnd;
    this.#onEnd = undefined;
    ended?.(result);
  }
}
