import { sleep, WOKEN, type Clock } from '@hnotif/core/clock';

/** The next step after a write: `done`; `again` at once; or, after a failure, again after this many milliseconds. */
export type AfterWrite = 'done' | 'again' | number;

export interface WriteLoopOptions {
  readonly clock: Clock;
  /**
   * Waits for the turn to write. A write that is not urgent has a `hurry`, which aborts when it becomes urgent or the loop is closed.
   * Resolves with a function that ends the turn; undefined: write nothing more.
   */
  readonly turn: (hurry: AbortSignal | undefined) => Promise<(() => void) | undefined>;
  /** Waits after a failure, for `ms` or until the API server is back. Default: for `ms`. */
  readonly rest?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Must not reject. */
  readonly write: () => Promise<AfterWrite>;
}

/** Makes one write at a time. Requests before its turn join it; later ones join the next write. */
export class WriteLoop {
  readonly #options: WriteLoopOptions;
  readonly #stop = new AbortController();
  /** When the next write is due (monotonic milliseconds); Infinity: none. */
  #dueAt = Infinity;
  #urgent = false;
  #writtenAt = -Infinity;
  #running = false;
  /** Of a write that is not urgent. */
  #hurry: AbortController | undefined;
  /** Of the wait after a failure. */
  #rest: AbortController | undefined;
  #cancelTimer: (() => void) | undefined;
  #waiting: (() => void)[] = [];

  constructor(options: WriteLoopOptions) {
    this.#options = options;
  }

  /** Requests a write within this many milliseconds; 0: now. `urgent`: it does not wait for the rate limit. Default: urgent if `withinMs` is 0. */
  schedule(withinMs: number, urgent = withinMs === 0): void {
    if (this.#stop.signal.aborted) return;
    const at = this.#options.clock.monotonic() + withinMs;
    // Each delivery that ends requests a write. The first request has set the time.
    if (at >= this.#dueAt && withinMs > 0 && (this.#urgent || !urgent)) return;
    this.#dueAt = Math.min(this.#dueAt, at);
    if (urgent) {
      this.#urgent = true;
      this.#hurry?.abort(WOKEN);
    }
    if (!this.#running) this.#schedule();
  }

  /** When the last write began (monotonic milliseconds). */
  get writtenAt(): number {
    return this.#writtenAt;
  }

  /** Writes now, if a write was requested. Resolves when it is done or has failed. */
  async flush(): Promise<void> {
    if (this.#stop.signal.aborted || (this.#dueAt === Infinity && !this.#running)) return;
    const done = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.schedule(0);
    this.#rest?.abort(WOKEN);
    await done;
  }

  /** Writes nothing more. */
  close(): void {
    this.#stop.abort();
    this.#hurry?.abort(WOKEN);
    this.#rest?.abort(WOKEN);
    this.#cancelTimer?.();
    this.#resolve();
  }

  #schedule(): void {
    const { clock } = this.#options;
    const ms = this.#dueAt - clock.monotonic();
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (ms <= 0) void this.#run();
    else if (ms < Infinity)
      this.#cancelTimer = clock.after(ms, () => {
        void this.#run();
      });
  }

  async #run(): Promise<void> {
    const { clock, rest = (ms, enough) => sleep(clock, ms, enough) } = this.#options;
    const { signal } = this.#stop;
    this.#running = true;
    while (!signal.aborted && this.#isDue()) {
      const after = await this.#writeInTurn();
      if (after === 'done') continue;
      this.#dueAt = clock.monotonic();
      if (after === 'again') continue;
      this.#resolve();
      this.#rest = new AbortController();
      if (!signal.aborted) await rest(after, this.#rest.signal);
    }
    this.#running = false;
    if (this.#dueAt < Infinity && !signal.aborted) this.#schedule();
    else this.#resolve();
  }

  /** A flush does not wait for the due time. */
  #isDue(): boolean {
    return this.#waiting.length > 0 ? this.#dueAt < Infinity : this.#dueAt <= this.#options.clock.monotonic();
  }

  async #writeInTurn(): Promise<AfterWrite> {
    const { turn, write } = this.#options;
    this.#hurry = this.#urgent ? undefined : new AbortController();
    const end = await turn(this.#hurry?.signal);
    this.#hurry = undefined;
    const urgent = this.#urgent;
    this.#urgent = false;
    // Not before the turn: until then, requests join this write.
    this.#dueAt = Infinity;
    if (end === undefined) return 'done';
    this.#writtenAt = this.#options.clock.monotonic();
    try {
      const after = await write();
      if (after !== 'done') this.#urgent ||= urgent;
      return after;
    } finally {
      end();
    }
  }

  #resolve(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
