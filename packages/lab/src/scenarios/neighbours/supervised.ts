import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { Killable } from '../../../../hnotif/e2e/chaos/killable.ts';

/** The health of the controller during a row. */
export interface Fared {
  /** How often it ended by itself. */
  readonly exits: number;
  /** The reason of the last exit; `''`: there was no exit, or no reason in the log. */
  readonly exitedFor: string;
  readonly leaseLost: boolean;
  /**
   * The longest stall of its event loop, from its metrics (milliseconds). Each scrape resets this metric. The last stall before an exit is
   * not known.
   */
  readonly stallMs: number;
  /** The longest time of a request for `/healthz`, measured here (milliseconds). */
  readonly healthMs: number;
  /** The largest resident memory (MiB). */
  readonly memoryMb: number;
}

export interface SupervisedOptions {
  readonly args: readonly string[];
  readonly logFile: string;
  /** A command that replaces itself with its last arguments, which run node. */
  readonly before?: readonly string[];
}

/** The most starts in one row. More would show nothing new. */
const MOST_STARTS = 5;
/** The time limit of a start. After a kill the Lease must expire first, which takes 15 s. */
const START_MS = 25_000;
const LOOK_MS = 1_000;
const PROBE_MS = 50;
/** Longer than a leader may be silent. */
const ANSWER_MS = 20_000;
const LEASE_LOST = 'the Lease is lost';

/** The controller. It is measured all the time, and restarted when it ends, as Kubernetes does. */
export class Supervised {
  readonly #options: SupervisedOptions;
  readonly #end = new AbortController();
  #current: Killable;
  #isReplaced = false;
  #fared: Fared = { exits: 0, exitedFor: '', leaseLost: false, stallMs: 0, healthMs: 0, memoryMb: 0 };
  readonly #looking: Promise<unknown>;

  private constructor(options: SupervisedOptions) {
    this.#options = options;
    this.#current = this.#start();
    this.#looking = Promise.all([
      this.#again(LOOK_MS, () => Promise.all([this.#scrape(), this.#readMemory()])),
      this.#again(PROBE_MS, () => this.#probe()),
    ]);
  }

  /** Resolves when it serves. */
  static async start(options: SupervisedOptions): Promise<Supervised> {
    const supervised = new Supervised(options);
    if (await supervised.serving()) return supervised;
    await supervised.close();
    throw new Error('the controller does not serve');
  }

  get fared(): Fared {
    return this.#fared;
  }

  get exits(): number {
    return this.#fared.exits;
  }

  /** The address of its metrics: `http://host:port`. */
  async metricsUrl(): Promise<string> {
    return (await this.#current.started).metrics;
  }

  /** Resolves with true when a process serves; with false after the time limit of a start. */
  async serving(): Promise<boolean> {
    for (const until = performance.now() + START_MS; performance.now() < until;) {
      if (this.#current.isServing && !this.#current.hasEnded) return true;
      await setTimeout(10);
    }
    return false;
  }

  /** A roll-out: a clean stop and a new process. Resolves with whether the new process serves. */
  async restart(): Promise<boolean> {
    await this.#scrape();
    await this.#readMemory();
    this.#isReplaced = true;
    await this.#current.end('SIGTERM');
    this.#isReplaced = false;
    this.#current = this.#start();
    return this.serving();
  }

  /** Resets the stall and the probe time. */
  async forget(): Promise<void> {
    await this.#scrape();
    this.#fared = { ...this.#fared, stallMs: 0, healthMs: 0 };
  }

  /** Reads the figures for the last time. */
  async settle(): Promise<void> {
    await this.#scrape();
    await this.#readMemory();
  }

  async close(): Promise<void> {
    this.#end.abort();
    this.#isReplaced = true;
    await this.#current.end('SIGKILL');
    await this.#looking;
  }

  #start(): Killable {
    const { args, logFile, before = [] } = this.#options;
    const process = new Killable(args, logFile, { before });
    void process.ended.then((code) => {
      if (this.#isReplaced) return;
      const { exits, leaseLost } = this.#fared;
      const exitedFor = process.fellFor === '' ? `it ended with ${code}` : process.fellFor;
      this.#fared = {
        ...this.#fared,
        exits: exits + 1,
        exitedFor,
        leaseLost: leaseLost || exitedFor === LEASE_LOST,
      };
      if (exits + 1 < MOST_STARTS) this.#current = this.#start();
    });
    return process;
  }

  async #again(ms: number, look: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await look();
      await setTimeout(ms, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Each scrape returns the longest stall since the last scrape. */
  async #scrape(): Promise<void> {
    const process = this.#current;
    const at = await Promise.race([process.started, process.ended]);
    if (typeof at !== 'object' || at === null) return;
    const text = await this.#ask(`${at.metrics}/metrics`);
    const seconds = Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1] ?? 0);
    this.#fared = { ...this.#fared, stallMs: Math.max(this.#fared.stallMs, seconds * 1000) };
  }

  /** If the process ends before it answers, the time until its end counts. */
  async #probe(): Promise<void> {
    const process = this.#current;
    const at = await Promise.race([process.started, process.ended]);
    if (typeof at !== 'object' || at === null) return;
    const asked = performance.now();
    await this.#ask(`${at.health}/healthz`);
    if (this.#isReplaced) return;
    this.#fared = { ...this.#fared, healthMs: Math.max(this.#fared.healthMs, performance.now() - asked) };
  }

  /** `''`: no answer. */
  #ask(url: string): Promise<string> {
    const signal = AbortSignal.any([AbortSignal.timeout(ANSWER_MS), this.#end.signal]);
    return fetch(url, { signal })
      .then((answer) => answer.text())
      .catch(() => '');
  }

  async #readMemory(): Promise<void> {
    const status = await readFile(`/proc/${this.#current.pid}/status`, 'utf8').catch(() => '');
    const peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
    this.#fared = { ...this.#fared, memoryMb: Math.max(this.#fared.memoryMb, peak) };
  }
}
