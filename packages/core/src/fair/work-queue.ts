import type { Clock } from '../clock.ts';
import { FairQueue } from './queue.ts';
import { Share } from './share.ts';
import type { TokenBucket } from './token-bucket.ts';

export interface WorkQueueOptions<K extends NonNullable<unknown>> {
  readonly clock: Clock;
  /** How many keys are processed at once. */
  readonly workers: number;
  /** Whether one namespace alone gets half of the workers, so that there is always one for another (`Share`). Default: all. */
  readonly isShared?: boolean;
  /** For keys that are not urgent: how many are processed at once, and a bucket of which each takes a token. Default: no limits. */
  readonly lazy?: { readonly workers: number; readonly bucket: TokenBucket } | undefined;
  /** The namespace of a key. Namespaces take turns. */
  readonly ownerOf: (key: K) => string;
  /** Works on a key. It may add the key again. Must not reject. */
  readonly work: (key: K, isUrgent: boolean) => Promise<Rest | void>;
}

/** Work that has failed: the key is due again when `over` resolves. Until then it needs no worker. */
export interface Rest {
  readonly over: Promise<void>;
}

interface Entry {
  /** When the key is due (monotonic milliseconds); Infinity: it was not added since its work began. */
  dueAt: number;
  isUrgent: boolean;
  isRunning: boolean;
  cancelTimer: (() => void) | undefined;
  /** They wait until all is done, or has failed. */
  readonly flushes: (() => void)[];
}

/**
 * The keys that need work, as in client-go: a key is queued once however often it is added, is never worked on twice at the same time,
 * and is worked on again if it was added meanwhile. Urgent keys come first, and namespaces take turns.
 */
export class WorkQueue<K extends NonNullable<unknown>> {
  readonly #options: WorkQueueOptions<K>;
  readonly #entries = new Map<K, Entry>();
  readonly #urgent = new FairQueue<K>();
  readonly #lazy = new FairQueue<K>();
  readonly #share: Share;
  #running = 0;
  #lazyRunning = 0;
  /** Cancels the timer of the next token. */
  #cancelToken: (() => void) | undefined;
  #isClosed = false;
  #idle: (() => void)[] = [];

  constructor(options: WorkQueueOptions<K>) {
    this.#options = options;
    this.#share = new Share(options.workers);
  }

  /** Adds a key that is due after `afterMs` milliseconds (default: 0). If the key is already queued, the earlier time counts. */
  add(key: K, { afterMs = 0, urgent = false } = {}): void {
    if (this.#isClosed) return;
    const entry = this.#entries.get(key) ?? {
      ...{ dueAt: Infinity, isUrgent: false, isRunning: false, cancelTimer: undefined, flushes: [] },
    };
    this.#entries.set(key, entry);
    const now = this.#options.clock.monotonic();
    const dueAt = now + afterMs;
    // A busy event loop fires timers late: the key is due, but not yet in work.
    const isOverdue = entry.cancelTimer !== undefined && entry.dueAt <= now;
    if (dueAt >= entry.dueAt && !isOverdue && (!urgent || entry.isUrgent)) return;
    entry.dueAt = Math.min(entry.dueAt, dueAt);
    entry.isUrgent ||= urgent;
    if (entry.isRunning) return;
    this.#dequeue(key, entry);
    if (entry.dueAt <= now) {
      this.#ready(key, entry);
      void this.#work();
    } else
      entry.cancelTimer = this.#options.clock.after(entry.dueAt - now, () => {
        this.#ready(key, entry);
        void this.#work();
      });
  }

  /** Forgets a key. Work that has begun goes on. */
  remove(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#dequeue(key, entry);
    entry.dueAt = Infinity;
    if (!entry.isRunning) this.#entries.delete(key);
    endFlushes(entry);
  }

  /** Works on the key now, if it is queued. Resolves when the key is not due any more, or its work has failed once. */
  async flush(key: K): Promise<void> {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#isClosed) return;
    const done = new Promise<void>((resolve) => entry.flushes.push(resolve));
    this.add(key, { urgent: true });
    await done;
  }

  /** Resolves when no key is in work or due. Keys that are due later, or rest, do not count. */
  async idle(): Promise<void> {
    if (!this.#isIdle) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Forgets all keys and takes no others. Resolves when the work that has begun is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelToken?.();
    for (const key of [...this.#entries.keys()]) this.remove(key);
    await this.idle();
  }

  get #isIdle(): boolean {
    return this.#running === 0 && this.#urgent.size + this.#lazy.size === 0;
  }

  #ready(key: K, entry: Entry): void {
    entry.cancelTimer = undefined;
    (entry.isUrgent ? this.#urgent : this.#lazy).add(this.#options.ownerOf(key), key);
  }

  #dequeue(key: K, entry: Entry): void {
    const owner = this.#options.ownerOf(key);
    entry.cancelTimer?.();
    entry.cancelTimer = undefined;
    this.#urgent.delete(owner, key);
    this.#lazy.delete(owner, key);
  }

  readonly #mayRun = (_key: K, owner: string): boolean =>
    this.#options.isShared !== true || this.#share.admits(owner);

  /** The next key to work on; undefined: there is none, or no worker is free for it. */
  #take(): { readonly item: K; readonly owner: string; readonly isUrgent: boolean } | undefined {
    const { clock, lazy, workers } = this.#options;
    if (this.#running >= workers) return undefined;
    const urgent = this.#urgent.take(1, this.#mayRun);
    if (urgent !== undefined) return { ...urgent, isUrgent: true };
    if (lazy !== undefined && (this.#lazy.size === 0 || this.#lazyRunning >= lazy.workers)) return undefined;
    if (lazy !== undefined && lazy.bucket.waitMs > 0) {
      this.#cancelToken ??= clock.after(lazy.bucket.waitMs, () => {
        this.#cancelToken = undefined;
        void this.#work();
      });
      return undefined;
    }
    const next = this.#lazy.take(1, this.#mayRun);
    if (next !== undefined) lazy?.bucket.tryTake();
    return next && { ...next, isUrgent: false };
  }

  /** A worker: it works on one key after the other, until there is none for it. */
  async #work(): Promise<void> {
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      const { item: key, owner, isUrgent } = next;
      const entry = this.#entries.get(key);
      if (entry === undefined) continue;
      Object.assign(entry, { dueAt: Infinity, isUrgent: false, isRunning: true });
      this.#running++;
      this.#lazyRunning += Number(!isUrgent);
      this.#share.take(owner);
      const work = this.#options.work(key, isUrgent);
      // There may be keys for further workers.
      if (this.#urgent.size + this.#lazy.size > 0) void this.#work();
      const rest = await work;
      this.#running--;
      this.#lazyRunning -= Number(!isUrgent);
      this.#share.give(owner);
      if (rest === undefined || this.#isClosed) this.#done(key, entry);
      else {
        entry.dueAt = this.#options.clock.monotonic();
        entry.isUrgent ||= isUrgent;
        endFlushes(entry);
        void rest.over.then(() => {
          this.#done(key, entry);
          void this.#work();
        });
      }
    }
    if (this.#isIdle) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** The work on a key, and its rest, are over. */
  #done(key: K, entry: Entry): void {
    // A flush waits neither for the due time nor for a token.
    if (entry.flushes.length > 0 && entry.dueAt < Infinity) this.add(key, { urgent: true });
    entry.isRunning = false;
    const { dueAt, isUrgent: urgent } = entry;
    Object.assign(entry, { dueAt: Infinity, isUrgent: false });
    if (dueAt < Infinity) this.add(key, { afterMs: dueAt - this.#options.clock.monotonic(), urgent });
    else if (this.#entries.delete(key)) endFlushes(entry);
  }
}

function endFlushes({ flushes }: Entry): void {
  for (const resolve of flushes.splice(0)) resolve();
}
