import { sleep, type Clock } from '../clock.ts';

/** After a write: `done`; `again` at once; or again after so many milliseconds, since it failed. */
export type AfterWrite = 'done' | 'again' | number;

/** Made once: a signal that aborts without a reason makes an error, with a stack, for each. */
const HURRY = new Error('somebody waits');

/** One write at a time; what is wanted meanwhile joins the next one. */
export class WriteLoop {
  readonly #clock: Clock;
  readonly #write: (hurry: AbortSignal | undefined) => Promise<AfterWrite>;
  readonly #stop = new AbortController();
  /** When the next write is due (monotonic milliseconds); Infinity: nothing is to be written. */
  #dueAt = Infinity;
  /** Somebody waits for it. */
  #urgent = false;
  #running = false;
  /** Of a write that nobody waits for. */
  #hurry: AbortController | undefined;
  /** Of the wait after a failure. */
  #rest: AbortController | undefined;
  #cancelTimer: (() => void) | undefined;
  #waiting: (() => void)[] = [];

  /**
   * `write` must not reject. What nobody waits for has a `hurry` that aborts when somebody does from then on, or nothing more is
   * to be written.
   */
  constructor(clock: Clock, write: (hurry: AbortSignal | undefined) => Promise<AfterWrite>) {
    this.#clock = clock;
    this.#write = write;
  }

  /** There is something to write, within so many milliseconds; 0: now. */
  want(withinMs: number): void {
    if (this.#stop.signal.aborted) return;
    const at = this.#clock.monotonic() + withinMs;
    // Each delivery that ends asks for a write: the first of them has set the time.
    if (at >= this.#dueAt && withinMs > 0) return;
    this.#dueAt = Math.min(this.#dueAt, at);
    if (withinMs === 0) {
      this.#urgent = true;
      this.#hurry?.abort(HURRY);
    }
    if (!this.#running) this.#schedule();
  }

  /** Writes what is to be written, and now; resolves when that is done, or a write has failed. */
  async flush(): Promise<void> {
    if (this.#stop.signal.aborted || (this.#dueAt === Infinity && !this.#running)) return;
    const done = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.want(0);
    this.#rest?.abort(HURRY);
    await done;
  }

  /** Writes nothing more. */
  close(): void {
    this.#stop.abort();
    this.#hurry?.abort(HURRY);
    this.#rest?.abort(HURRY);
    this.#cancelTimer?.();
    this.#resolve();
  }

  #schedule(): void {
    const ms = this.#dueAt - this.#clock.monotonic();
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (ms <= 0) void this.#run();
    else if (ms < Infinity)
      this.#cancelTimer = this.#clock.after(ms, () => {
        void this.#run();
      });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    this.#running = true;
    while (!signal.aborted && this.#dueAt <= this.#clock.monotonic()) {
      const urgent = this.#urgent;
      this.#urgent = false;
      this.#dueAt = Infinity;
      this.#hurry = urgent ? undefined : new AbortController();
      const after = await this.#write(this.#hurry?.signal);
      if (after === 'done') continue;
      this.#urgent ||= urgent;
      this.#dueAt = this.#clock.monotonic();
      if (after === 'again') continue;
      this.#resolve();
      this.#rest = new AbortController();
      if (!signal.aborted) await sleep(this.#clock, after, this.#rest.signal);
    }
    this.#running = false;
    if (this.#dueAt < Infinity && !signal.aborted) this.#schedule();
    else this.#resolve();
  }

  #resolve(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
