import { ApiError } from './status.ts';

/**
 * The work of the server after a write: one task at a time, each in its own turn of the event loop. So clients see the steps in between,
 * as with a real cluster's controllers.
 */
export class Work {
  readonly #tasks = new Map<string, () => void>();
  #turn: NodeJS.Immediate | undefined;
  #stopped = false;

  /** Runs `task` soon. Runs it once, even if it is requested several times under the same key. */
  add(key: string, task: () => void): void {
    if (this.#stopped) return;
    this.#tasks.set(key, task);
    this.#turn ??= setImmediate(() => {
      this.#next();
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#tasks.clear();
    clearImmediate(this.#turn);
  }

  #next(): void {
    this.#turn = undefined;
    const [key, task] = this.#tasks.entries().next().value ?? [];
    if (key === undefined || task === undefined) return;
    this.#tasks.delete(key);
    try {
      task();
    } catch (error) {
      // A deletion may be refused (a namespace that must stay). A real controller logs that and continues.
      if (!(error instanceof ApiError)) throw error;
    }
    if (this.#tasks.size > 0 && !this.#stopped)
      this.#turn = setImmediate(() => {
        this.#next();
      });
  }
}
