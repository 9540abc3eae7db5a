import { Process, type ProcessOptions } from '../../process.ts';
import type { Figures } from './row.ts';
import { repeat, until } from '../../wait.ts';

/** The health of the controller during a row. The last stall before an exit is not known. */
interface Fared extends Pick<Figures, 'exits' | 'Leases lost' | 'stall (ms)' | 'memory (MiB)'> {
  /** The reason of the last exit; `''`: there was none. */
  readonly exitedFor: string;
}

/** The most starts in one row. More would show nothing new. */
const MOST_STARTS = 5;
/** The time limit of a start. After a kill the Lease must expire first, which takes 15 s. */
const START_MS = 240_000;
const LOOK_MS = 1_000;
/** Longer than a leader may be silent. */
const ANSWER_MS = 20_000;
const LEASE_LOST = 'the Lease is lost';

/** The controller. It is measured all the time, and restarted when it ends, as Kubernetes does. */
export class Supervised {
  readonly #args: readonly string[];
  readonly #options: ProcessOptions;
  readonly #end = new AbortController();
  #current: Process;
  #isReplaced = false;
  #fared: Fared = { exits: 0, exitedFor: '', 'Leases lost': 0, 'stall (ms)': 0, 'memory (MiB)': 0 };
  readonly #looking: Promise<unknown>;

  private constructor(args: readonly string[], options: ProcessOptions) {
    this.#args = args;
    this.#options = options;
    this.#current = this.#start();
    this.#looking = repeat(LOOK_MS, this.#end.signal, () => this.settle());
  }

  /** Resolves when it serves. */
  static async start(...given: [args: readonly string[], options: ProcessOptions]): Promise<Supervised> {
    const supervised = new Supervised(...given);
    await supervised.serving().catch(async (error: unknown) => {
      await supervised.close();
      throw error;
    });
    return supervised;
  }

  get fared(): Fared {
    return this.#fared;
  }

  /** The address of its metrics: `http://host:port`. */
  async metricsUrl(): Promise<string> {
    return (await this.#current.started)?.metrics ?? '';
  }

  /** Resolves when a process serves. @throws after the time limit of a start */
  async serving(): Promise<void> {
    const { signal } = this.#end;
    const isServing = (): boolean =>
      signal.aborted || (this.#current.servedAt !== undefined && !this.#current.hasEnded);
    await until(isServing, { what: 'the start of the controller', limitMs: START_MS, everyMs: 10 });
  }

  /** A roll-out: a clean stop and a new process. */
  async restart(): Promise<void> {
    await this.settle();
    this.#isReplaced = true;
    await this.#current.end('SIGTERM');
    this.#isReplaced = false;
    this.#current = this.#start();
    await this.serving();
  }

  /** Resets the stall. */
  async forget(): Promise<void> {
    await this.settle();
    this.#fared = { ...this.#fared, 'stall (ms)': 0 };
  }

  /** Reads the figures. */
  async settle(): Promise<void> {
    const [{ stallMs }, { peak }] = await Promise.all([
      this.#current.busy(this.#signal),
      this.#current.memory(),
    ]);
    this.#fared = {
      ...this.#fared,
      'stall (ms)': Math.max(this.#fared['stall (ms)'], stallMs),
      'memory (MiB)': Math.max(this.#fared['memory (MiB)'], Number.isNaN(peak) ? 0 : peak / 2 ** 20),
    };
  }

  async close(): Promise<void> {
    this.#end.abort();
    this.#isReplaced = true;
    await this.#current.end('SIGKILL');
    await this.#looking;
  }

  #start(): Process {
    const process = new Process(['run', ...this.#args], this.#options);
    void process.exit.then((code) => {
      if (this.#isReplaced) return;
      const exits = this.#fared.exits + 1;
      const exitedFor = process.fellFor === '' ? `it ended with ${code}` : process.fellFor;
      const lost = this.#fared['Leases lost'] + Number(exitedFor.startsWith(LEASE_LOST));
      this.#fared = { ...this.#fared, exits, exitedFor, 'Leases lost': lost };
      if (exits < MOST_STARTS) this.#current = this.#start();
    });
    return process;
  }

  get #signal(): AbortSignal {
    return AbortSignal.any([AbortSignal.timeout(ANSWER_MS), this.#end.signal]);
  }
}
