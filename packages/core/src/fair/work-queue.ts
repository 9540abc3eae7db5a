import type { Clock } from '../clock.ts';
import { FairQueue } from './queue.ts';

export interface WorkQueueOptions<K> {
  readonly clock: Clock;
  /** How many keys are processed at once. */
  readonly workers: number;
  /** The namespace of a key. Namespaces take turns. */
  readonly ownerOf: (key: K) => string;
  /** Works on a key. It may add the key again. Must not reject. */
  readonly work: (key: K) => Promise<void>;
}

interface Entry {
  /** When the key is due (monotonic milliseconds); Infinity: it was not added since its work began. */
  dueAt: number;
  isUrgent: boolean;
  isRunning: boolean;
  cancelTimer: (() => void) | undefined;
}

/**
 * The keys that need work, as in client-go: a key is queued once however often it is added, is never worked on twice at the same time,
 * and is worked on again if it was added meanwhile. Urgent keys come first, and namespaces take turns.
 */
export class WorkQueue<K> {
  readonly #options: WorkQueueOptions<K>;
  readonly #entries = new Map<K, Entry>();
  readonly #urgent = new FairQueue<K>();
  readonly #ready = new FairQueue<K>();
  #running = 0;
  #isPaused = false;
  #isClosed = false;
  #idle: (() => void)[] = [];

  constructor(options: WorkQueueOptions<K>) {
    this.#options = options;
  }

  /** Adds a key that is due after `afterMs` milliseconds (default: 0). If the key is already queued, the earlier time counts. */
  add(key: K, { afterMs = 0, urgent = false } = {}): void {
    if (this.#isClosed) return;
    const entry = this.#entries.get(key) ?? {
      ...{ dueAt: Infinity, isUrgent: false, isRunning: false, cancelTimer: undefined },
    };
    this.#entries.set(key, entry);
    const dueAt = this.#options.clock.monotonic() + afterMs;
    const isSooner = dueAt < entry.dueAt || (urgent && !entry.isUrgent);
    if (!isSooner) return;
    entry.dueAt = Math.min(entry.dueAt, dueAt);
    entry.isUrgent ||= urgent;
    if (!entry.isRunning) this.#enqueue(key, entry);
  }

  /** Forgets a key. Work that has begun goes on. */
  remove(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#dequeue(key, entry);
    entry.dueAt = Infinity;
    if (!entry.isRunning) this.#entries.delete(key);
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Begins no work until `resume`. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#pump();
  }

  /** Resolves when no key is in work or due. Keys that are due later do not count. While the queue is paused, no due key counts. */
  async idle(): Promise<void> {
    if (this.#isIdle) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Forgets all keys and takes no others. Resolves when the work that has begun is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const key of [...this.#entries.keys()]) this.remove(key);
    await this.idle();
  }

  get #isIdle(): boolean {
    return this.#running === 0 && (this.#isPaused || this.#urgent.size + this.#ready.size === 0);
  }

  #enqueue(key: K, entry: Entry): void {
    const { clock, ownerOf } = this.#options;
    this.#dequeue(key, entry);
    const enqueue = (): void => {
      (entry.isUrgent ? this.#urgent : this.#ready).add(ownerOf(key), key);
      this.#pump();
    };
    const afterMs = entry.dueAt - clock.monotonic();
    if (afterMs > 0) entry.cancelTimer = clock.after(afterMs, enqueue);
    else enqueue();
  }

  #dequeue(key: K, entry: Entry): void {
    const owner = this.#options.ownerOf(key);
    entry.cancelTimer?.();
    entry.cancelTimer = undefined;
    this.#urgent.delete(owner, key);
    this.#ready.delete(owner, key);
  }

  #pump(): void {
    while (this.#running < this.#options.workers && !this.#isPaused) {
      const next = this.#urgent.take() ?? this.#ready.take();
      if (next === undefined) return;
      void this.#run(next.item);
    }
  }

  async #run(key: K): Promise<void> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    entry.dueAt = Infinity;
    entry.isUrgent = false;
    entry.isRunning = true;
    this.#running++;
    await this.#options.work(key);
    this.#running--;
    entry.isRunning = false;
    if (entry.dueAt < Infinity) this.#enqueue(key, entry);
    else this.#entries.delete(key);
    this.#pump();
    if (this.#isIdle) for (const resolve of this.#idle.splice(0)) resolve();
  }
}
