import { bundled } from '../bundled.ts';
import type { Clock } from '@hnotif/core/clock';
import { FairQueue, Share } from '@hnotif/core/fair';
import { Budget } from './budget.ts';
import {
  type Source,
  type Fault,
  faultOf,
  TEMPLATE_LIMITS,
  type Rendered,
  type RenderFault,
  type TemplateRunner,
  type TemplateSource,
  idOf,
} from '@hnotif/core/render';
import { type Answer, toPlain } from './job.ts';
import { faultsOf, hasMetLimit, namespaceOf, stopping, targetsOf, tooLarge, type Task } from './task.ts';
import { type BatchFailure, type BatchResult, WorkerThread } from './worker-thread.ts';

export interface TemplatePoolOptions {
  readonly clock: Clock;
  /** The most worker threads. Default: 2. */
  readonly size?: number;
  /** The script of the threads. Default: the bundled `worker.ts`. */
  readonly worker?: URL;
}

const WORKER = bundled('template-worker.mjs');

const { batch, batchTargets, checked, execution, idle, slow, workers } = TEMPLATE_LIMITS;

/** Faults that every check of the template finds. */
const REPEATABLE: ReadonlySet<RenderFault> = new Set([
  'TemplateParseFailed',
  'TemplateDoubtful',
  'OutputDoubtful',
  'TemplateTooLarge',
]);

/**
 * Runs custom templates in worker threads, where they do not block the event loop. Threads start when there is work, and end after an
 * idle minute. The engine ends a template that works too long. If it cannot, the wall clock ends the thread.
 *
 * A thread gets the tasks of a namespace in batches, with one message in each direction. A batch ends after a few milliseconds. The rest
 * of it waits again, before the other tasks of its namespace. When a thread ends without answers, the tasks of its batch run again, each
 * alone.
 *
 * Namespaces share the threads: the namespace that has used least time comes first; none may take the last free thread if it has another
 * one; each has a time budget.
 */
export class TemplatePool implements TemplateRunner {
  readonly #clock: Clock;
  readonly #size: number;
  readonly #url: URL;
  readonly #budget: Budget;
  readonly #waiting = new FairQueue<Task>();
  /** The number of busy threads, by namespace. */
  readonly #running: Share;
  /** The results of checks, by namespace and template, least recently used first. */
  readonly #checks = new Map<string, Promise<Fault | undefined>>();
  readonly #threads = new Set<WorkerThread>();
  /** Idle threads, with a function that cancels their end. */
  readonly #idle = new Map<WorkerThread, () => void>();
  readonly #servedLast = new WeakMap<WorkerThread, string>();
  #closed = false;

  constructor({ clock, size = workers.value, worker = WORKER }: TemplatePoolOptions) {
    this.#clock = clock;
    this.#size = size;
    this.#url = worker;
    this.#budget = new Budget(clock);
    this.#running = new Share(size);
  }

  render(template: TemplateSource, source: Source, signal?: AbortSignal): Promise<Rendered> {
    return this.#submit(template, source, signal);
  }

  /** A template is parsed once for all its sinks. */
  async check(template: TemplateSource): Promise<Fault | undefined> {
    // The text of such a template is empty.
    if (template.tooLarge !== undefined) return tooLarge(template, template.tooLarge);
    const key = `${namespaceOf(template)}/${idOf(template)}`;
    const found = this.#checks.get(key) ?? this.#check(key, template);
    this.#checks.delete(key);
    this.#checks.set(key, found);
    for (const oldest of this.#checks.keys()) {
      if (this.#checks.size <= checked.value) break;
      this.#checks.delete(oldest);
    }
    return found;
  }

  async #check(key: string, template: TemplateSource): Promise<Fault | undefined> {
    const parsed = await this.#submit(template, undefined, undefined);
    if (parsed.ok) return undefined;
    if (!REPEATABLE.has(parsed.reason)) this.#checks.delete(key);
    return parsed;
  }

  /** Why messages of a namespace are late: its templates have waited for a thread for a long time. */
  blocked(namespace: string): { readonly reason: string; readonly message: string } | undefined {
    const before = this.#clock.monotonic() - slow.value;
    for (const { template, source, since } of this.#waiting.items())
      if (since <= before && source !== undefined && namespaceOf(template) === namespace)
        return {
          reason: 'TemplatesWaited',
          message: `templates of namespace ${namespace} wait for a worker, because they use all the worker time of the namespace: make them cheaper, or use fewer`,
        };
    return undefined;
  }

  /** Ends all threads. Running and waiting tasks fail. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { template, settle } of this.#waiting.items()) settle(stopping(template));
    this.#waiting.clear();
    for (const cancel of this.#idle.values()) cancel();
    this.#idle.clear();
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #submit(
    template: TemplateSource,
    source: Source | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Rendered> {
    const namespace = namespaceOf(template);
    return new Promise((resolve) => {
      const cancel = (): void => {
        this.#waiting.delete(namespace, task);
        task.settle(faultOf(template, 'TemplateWorkerFailed', ' was aborted'));
      };
      const task: Task = {
        template,
        source,
        since: this.#clock.monotonic(),
        isSettled: false,
        isSuspect: false,
        settle(rendered) {
          task.isSettled = true;
          signal?.removeEventListener('abort', cancel);
          resolve(rendered);
        },
      };
      if (this.#closed) task.settle(stopping(template));
      else if (signal?.aborted === true) cancel();
      else if (!this.#settleIfRefused(task)) {
        signal?.addEventListener('abort', cancel, { once: true });
        this.#waiting.add(namespace, task);
        // Tasks of other namespaces were tried before.
        if (this.#running.admits(namespace)) this.#startWaiting();
      }
    });
  }

  /** Starts waiting tasks while threads are free. */
  #startWaiting(): void {
    while (!this.#closed && (this.#idle.size > 0 || this.#threads.size < this.#size)) {
      // The cost is charged at the end.
      const next = this.#waiting.take(0, (_, namespace) => this.#running.admits(namespace));
      if (next === undefined) return;
      // Others may have used the budget meanwhile.
      const tasks = this.#batchOf(next.item, next.owner).filter((task) => !this.#settleIfRefused(task));
      if (tasks.length > 0) void this.#run(tasks, next.owner);
    }
  }

  /** A task, and the following ones of the same batch. */
  #batchOf(first: Task, namespace: string): Task[] {
    const tasks = [first];
    let targets = targetsOf(first);
    for (const task of this.#waiting.itemsOf(namespace)) {
      targets += targetsOf(task);
      if (first.isSuspect || task.isSuspect) break;
      if (tasks.length === batch.value || targets > batchTargets.value) break;
      this.#waiting.delete(namespace, task);
      tasks.push(task);
    }
    return tasks;
  }

  async #run(tasks: readonly Task[], namespace: string): Promise<void> {
    this.#running.take(namespace);
    const result = await this.#perform(tasks, namespace);
    this.#running.give(namespace);
    if (result.kind === 'answered') {
      for (const [index, answer] of result.answers.entries()) this.#answer(tasks[index], answer);
      this.#waitAgain(tasks.slice(result.answers.length), namespace);
    } else this.#fail(tasks, namespace, result);
    if (tasks.some(({ template }) => this.#budget.refusal(template) !== undefined))
      this.#refuseWaiting(namespace);
    this.#startWaiting();
  }

  #answer(task: Task | undefined, { rendered, ms }: Answer): void {
    if (task === undefined) return;
    this.#charge(task, ms, hasMetLimit(rendered));
    task.settle(rendered);
  }

  /** The thread has ended. Only a task that ran alone is at fault, and after a crash only if it happened twice. */
  #fail(tasks: readonly Task[], namespace: string, failure: BatchFailure): void {
    const [task] = tasks;
    // At most the limit of CPU time: how much of it the worker had is not known.
    const ms = failure.kind === 'died' ? 0 : Math.min(failure.ms, execution.value);
    if (this.#closed) for (const { template, settle } of tasks) settle(stopping(template));
    else if (task === undefined || tasks.length > 1 || (failure.kind === 'died' && !task.isSuspect)) {
      this.#waiting.charge(namespace, ms);
      for (const each of tasks) each.isSuspect = true;
      this.#waitAgain(tasks, namespace);
    } else {
      this.#charge(task, ms, true);
      task.settle(faultOf(task.template, ...faultsOf(failure)));
    }
  }

  #charge({ template }: Task, ms: number, isWasted: boolean): void {
    this.#waiting.charge(namespaceOf(template), ms);
    this.#budget.charge(template, ms, isWasted);
  }

  #waitAgain(tasks: readonly Task[], namespace: string): void {
    const unsettled = tasks.filter(({ isSettled }) => !isSettled);
    if (!this.#closed) this.#waiting.putBack(namespace, unsettled);
    else for (const { template, settle } of unsettled) settle(stopping(template));
  }

  /** Tasks over the budget fail at once. Their namespace has used most, so it would come last. */
  #refuseWaiting(namespace: string): void {
    for (const task of this.#waiting.items())
      if (namespaceOf(task.template) === namespace && this.#settleIfRefused(task))
        this.#waiting.delete(namespace, task);
  }

  async #perform(tasks: readonly Task[], namespace: string): Promise<BatchResult> {
    try {
      const jobs = tasks.map(({ template, source }) => ({
        id: idOf(template),
        template,
        source: source && toPlain(source),
      }));
      const thread = this.#thread(
        namespace,
        tasks.some(({ isSuspect }) => isSuspect),
      );
      try {
        return await thread.run(jobs);
      } finally {
        if (thread.alive) this.#markIdle(thread);
        else this.#threads.delete(thread);
      }
    } catch (error) {
      // The system has no more threads, or a job cannot be cloned.
      return { kind: 'died', message: String(error) };
    }
  }

  /**
   * The thread that served the namespace last; otherwise a new one, if there is room. So a busy namespace does not take the warm threads
   * of others. `fresh`: a new one, if there is room.
   */
  #thread(namespace: string, fresh: boolean): WorkerThread {
    const hasRoom = this.#threads.size < this.#size;
    const idle = [...this.#idle.keys()];
    const own = fresh && hasRoom ? undefined : idle.find((each) => this.#servedLast.get(each) === namespace);
    const known = own ?? (hasRoom ? undefined : idle[0]);
    const thread = known ?? new WorkerThread(this.#url, this.#clock);
    this.#threads.add(thread);
    this.#servedLast.set(thread, namespace);
    this.#idle.get(thread)?.();
    this.#idle.delete(thread);
    return thread;
  }

  #markIdle(thread: WorkerThread): void {
    this.#idle.set(
      thread,
      this.#clock.after(idle.value, () => {
        this.#idle.delete(thread);
        this.#threads.delete(thread);
        void thread.end();
      }),
    );
  }

  /** Settles the task if its template may not run now. True if it was settled. */
  #settleIfRefused({ template, settle }: Task): boolean {
    if (template.tooLarge !== undefined) {
      settle(tooLarge(template, template.tooLarge));
      return true;
    }
    const refusal = this.#budget.refusal(template);
    if (refusal === undefined) return false;
    settle(faultOf(template, 'TemplateSuspended', refusal));
    return true;
  }
}
