import { bundledWorker } from '../bundled.ts';
import type { Clock } from '../clock.ts';
import type { Source } from './context.ts';
import { type Fault, faultOf } from './fault.ts';
import { toPlain } from './job.ts';
import { TEMPLATE_LIMITS } from './limits.ts';
import { Suspensions } from './suspensions.ts';
import type { Rendered, RenderFault, TemplateRunner, TemplateSource } from './template.ts';
import { type Ending, Thread } from './thread.ts';
import { Turns } from './turns.ts';

export interface TemplatePoolOptions {
  readonly clock: Clock;
  /** Most worker threads; 2 by default. */
  readonly size?: number;
  /** What the threads run: the bundled `worker.ts` by default. */
  readonly worker?: URL;
}

const WORKER = bundledWorker('template-worker.mjs');

const { costly, execution, heap, idle, strikes, workers } = TEMPLATE_LIMITS;

interface Task {
  readonly template: TemplateSource;
  /** Undefined: the template is parsed alone. */
  readonly source: Source | undefined;
  /** The first call counts. */
  readonly settle: (rendered: Rendered) => void;
  /** Whether a thread has died with it already. */
  retried: boolean;
}

/**
 * Runs custom templates in worker threads, where they can stop nothing but their own. Threads are started when there is
 * work, and ended after a minute without. A template that runs too long is ended with its thread.
 */
export class TemplatePool implements TemplateRunner {
  readonly #clock: Clock;
  readonly #size: number;
  readonly #url: URL;
  readonly #suspensions: Suspensions;
  readonly #waiting = new Turns<Task>();
  readonly #threads = new Set<Thread>();
  /** Threads without work, and what calls off their end. */
  readonly #idle = new Map<Thread, () => void>();
  #closed = false;

  constructor({ clock, size = workers.value, worker = WORKER }: TemplatePoolOptions) {
    this.#clock = clock;
    this.#size = size;
    this.#url = worker;
    this.#suspensions = new Suspensions(clock);
  }

  render(template: TemplateSource, source: Source, signal?: AbortSignal): Promise<Rendered> {
    return this.#submit(template, source, signal);
  }

  async check(template: TemplateSource): Promise<Fault | undefined> {
    const parsed = await this.#submit(template, undefined, undefined);
    return parsed.ok ? undefined : parsed;
  }

  /** Ends all threads; what they do and what waits has failed. */
  async close(): Promise<void> {
    this.#closed = true;
    for (let task = this.#waiting.take(); task !== undefined; task = this.#waiting.take())
      task.settle(stopping(task.template));
    for (const cancel of this.#idle.values()) cancel();
    this.#idle.clear();
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #submit(
    template: TemplateSource,
    source: Source | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Rendered> {
    return new Promise((resolve) => {
      const callOff = (): void => {
        this.#waiting.delete(ownerOf(template), task);
        task.settle(faultOf(template, 'TemplateWorkerFailed', ' was called off'));
      };
      const task: Task = {
        template,
        source,
        retried: false,
        settle(rendered) {
          signal?.removeEventListener('abort', callOff);
          resolve(rendered);
        },
      };
      if (this.#closed) task.settle(stopping(template));
      else if (signal?.aborted === true) callOff();
      else if (!this.#isSuspended(task)) {
        signal?.addEventListener('abort', callOff, { once: true });
        this.#waiting.add(ownerOf(template), task);
        this.#pump();
      }
    });
  }

  /** Gives waiting tasks to threads as long as there are both. */
  #pump(): void {
    while (!this.#closed && (this.#idle.size > 0 || this.#threads.size < this.#size)) {
      const task = this.#waiting.take();
      if (task === undefined) return;
      // It may have waited behind others of the same template that cost too much.
      if (!this.#isSuspended(task)) void this.#run(task);
    }
  }

  async #run(task: Task): Promise<void> {
    this.#finish(task, await this.#perform(task));
    this.#pump();
  }

  async #perform({ template, source, retried }: Task): Promise<Ending> {
    try {
      const job = { template, source: source && toPlain(source) };
      const thread = this.#thread(retried);
      try {
        return await thread.run(job);
      } finally {
        if (thread.alive) this.#park(thread);
        else this.#threads.delete(thread);
      }
    } catch (error) {
      // The system has no thread to give, or the job is no plain data.
      return { kind: 'died', message: String(error) };
    }
  }

  /** A thread without work, or a new one; a new one in any case where that is wanted and there is room. */
  #thread(fresh: boolean): Thread {
    const [waiting] = this.#idle;
    if (waiting !== undefined && !(fresh && this.#threads.size < this.#size)) {
      const [thread, cancelEnd] = waiting;
      cancelEnd();
      this.#idle.delete(thread);
      return thread;
    }
    const thread = new Thread(this.#url, this.#clock);
    this.#threads.add(thread);
    return thread;
  }

  #park(thread: Thread): void {
    this.#idle.set(
      thread,
      this.#clock.after(idle.value, () => {
        this.#idle.delete(thread);
        this.#threads.delete(thread);
        void thread.end();
      }),
    );
  }

  #finish(task: Task, ending: Ending): void {
    const { template } = task;
    switch (ending.kind) {
      case 'answered':
        if (hasCostTooMuch(ending.rendered, ending.ms)) this.#suspensions.strike(template.text);
        task.settle(ending.rendered);
        return;
      case 'died':
        if (this.#closed) task.settle(stopping(template));
        else if (!task.retried) {
          task.retried = true;
          this.#waiting.add(ownerOf(template), task);
        } else
          task.settle(
            faultOf(template, 'TemplateWorkerFailed', `: its worker failed twice: ${ending.message}`),
          );
        return;
      case 'timed-out':
        this.#tooMuch(task, 'TemplateTimedOut', `: exceeded the time limit (${execution.value} ms)`);
        return;
      case 'out-of-memory':
        this.#tooMuch(task, 'TemplateTooLarge', `: exceeded the memory of a worker (${heap.value} MiB)`);
    }
  }

  /** The template has cost a thread. */
  #tooMuch({ template, settle }: Task, reason: RenderFault, what: string): void {
    this.#suspensions.strike(template.text);
    settle(faultOf(template, reason, what));
  }

  /** Settles the task where its template is suspended. What only wants to be parsed may be. */
  #isSuspended({ template, source, settle }: Task): boolean {
    const left = source === undefined ? 0 : this.#suspensions.left(template.text);
    if (left === 0) return false;
    const minutes = Math.ceil(left / 60_000);
    settle(
      faultOf(
        template,
        'TemplateSuspended',
        ` worked for long and then met a limit, ${strikes.value} times within a minute; it is tried again in ${minutes} min, or when it is changed`,
      ),
    );
    return true;
  }
}

const ownerOf = ({ owner, text }: TemplateSource): string => owner ?? text;

/** An endless loop meets the limit of time, or before that the ones of steps or memory. */
const hasCostTooMuch = (rendered: Rendered, ms: number): boolean =>
  !rendered.ok &&
  (rendered.reason === 'TemplateTimedOut' || (rendered.reason === 'TemplateTooLarge' && ms >= costly.value));

const stopping = (template: TemplateSource): Fault =>
  faultOf(template, 'TemplateWorkerFailed', ' was not rendered: hnotif is stopping');
