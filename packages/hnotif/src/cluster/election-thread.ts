import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { bundled } from '../bundled.ts';
import { systemClock, type Clock } from '@hnotif/core/clock';
import type { AccessSource } from './access-source.ts';
import { NOT_GIVEN_BACK } from './election.ts';
import { LeaseLeadership, type Leadership, type LeaseCheck, type LeadershipState } from './leadership.ts';
import { LeaseMemory } from './lease-memory.ts';
import type { LeaseTiming, Term } from './lease.ts';

export interface ElectionThreadOptions extends LeaseTiming {
  /** How to reach the API server: the thread has its own connections. */
  readonly source: AccessSource;
  /** For credential plugins. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly log: Logger;
  /** The thread can read and write the Lease again. */
  readonly mended?: (() => void) | undefined;
  /**
   * How long the Lease is renewed after the last heartbeat of the main thread (milliseconds). Default: `SILENCE_MS`, or the renew deadline
   * if that is longer.
   */
  readonly silenceMs?: number;
  /** What the thread runs: the bundled `lease-worker.ts` by default. */
  readonly worker?: URL;
  /** For tests. Its monotonic time must be the system's. */
  readonly clock?: Clock;
}

/** The input of the thread. */
export interface LeaseJob extends LeaseTiming {
  readonly memory: SharedArrayBuffer;
  readonly source: AccessSource;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly silenceMs: number;
}

/** Requests to the thread. `hurry`: the release must not wait for answers. */
export type LeaseRequest =
  | { readonly do: 'check'; readonly id: number }
  | { readonly do: 'release' }
  | { readonly do: 'hurry' };

/** Reports of the thread. */
export type LeaseReport =
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn';
      readonly fields: object;
      readonly message: string;
    }
  | {
      readonly kind: 'standing';
      readonly standing: LeadershipState;
      readonly installedAt: number | undefined;
    }
  | { readonly kind: 'leading'; readonly term: Term; readonly installedAt: number | undefined }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'mended' }
  | { readonly kind: 'checked'; readonly id: number; readonly check: LeaseCheck }
  | { readonly kind: 'released' };

/**
 * After this time without a heartbeat (milliseconds), the main thread counts as dead, so that others can serve. Its longest work in one
 * turn takes seconds, on a busy machine some tens of seconds.
 */
const SILENCE_MS = 60_000;
/** The time between two heartbeats (milliseconds). */
const BEAT_MS = 1_000;
/** Enough for the client and for the output of a credential plugin, which may have 1 MiB. */
const HEAP_MB = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 };

/**
 * An `Election` in a separate thread, as client-go uses a separate goroutine: a busy main thread does not delay renewals. The state of the
 * Lease is in memory that both threads share, so `isLeader` needs no message. When the thread ends, leadership is lost.
 */
export class ElectionThread extends LeaseLeadership implements Leadership {
  readonly identity: string;
  readonly #options: ElectionThreadOptions;
  readonly #clock: Clock;
  readonly #memory: LeaseMemory;
  readonly #released: Promise<void>;
  readonly #checks = new Map<number, (check: LeaseCheck) => void>();
  #worker: Worker | undefined;
  #hasReleased: () => void = () => undefined;
  #cancelBeat: () => void = () => undefined;
  #asked = 0;
  #mute = false;
  #term: Term | undefined;
  #standing: LeadershipState;

  constructor(options: ElectionThreadOptions) {
    const { identity, namespace, name, renewDeadlineMs, clock = systemClock } = options;
    const memory = LeaseMemory.shared();
    super(clock, renewDeadlineMs, memory, true);
    this.#memory = memory;
    this.#options = options;
    this.#clock = clock;
    this.identity = identity;
    this.#standing = { ok: false, words: `the Lease ${namespace}/${name} has not been read yet` };
    this.lost.addEventListener('abort', () => {
      this.#cancelBeat();
      for (const answer of this.#checks.values()) answer('moved');
    });
    this.#released = new Promise((resolve) => {
      this.#hasReleased = resolve;
    });
  }

  check(): Promise<LeaseCheck> {
    return new Promise((resolve) => {
      if (this.lost.aborted || this.#worker === undefined) {
        resolve('moved');
        return;
      }
      const id = this.#asked++;
      this.#checks.set(id, (check) => {
        this.#checks.delete(id);
        resolve(check);
      });
      this.#ask({ do: 'check', id });
    });
  }

  state(): LeadershipState {
    if (this.isLeader() && this.#term !== undefined)
      return { ok: true, words: `leading, term ${this.#term}` };
    return this.lost.aborted ? { ok: false, words: 'lost leadership' } : this.#standing;
  }

  start(): void {
    if (this.#worker !== undefined || this.lost.aborted) return;
    this.#beat();
    try {
      this.#worker = this.#open();
    } catch (error) {
      // The system could not start a thread.
      this.#died(error);
    }
  }

  async release(enough?: AbortSignal): Promise<void> {
    this.end('it is released');
    const worker = this.#worker;
    if (worker === undefined) return;
    const giveUp = (): void => {
      const { namespace, name, log } = this.#options;
      // Later log lines would come after the end of the log.
      this.#mute = true;
      const fields = { lease: `${namespace}/${name}`, detail: 'no answer in time' };
      if (this.#memory.renewed !== undefined) log.warn(fields, NOT_GIVEN_BACK);
      this.#ask({ do: 'hurry' });
    };
    this.#ask({ do: 'release' });
    if (enough?.aborted === true) giveUp();
    else enough?.addEventListener('abort', giveUp, { once: true });
    await this.#released;
    enough?.removeEventListener('abort', giveUp);
    await worker.terminate();
  }

  #open(): Worker {
    const { source, env, userAgent, namespace, name, identity, ...options } = this.#options;
    const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = options;
    const { worker: url = bundled('lease-worker.mjs') } = options;
    const { silenceMs = Math.max(SILENCE_MS, renewDeadlineMs) } = options;
    const workerData: LeaseJob = {
      ...{ memory: this.#memory.buffer as SharedArrayBuffer, source, env, userAgent },
      ...{ namespace, name, identity, leaseDurationMs, renewDeadlineMs, retryPeriodMs, silenceMs },
    };
    const worker = new Worker(url, { name: 'hnotif-lease', workerData, resourceLimits: HEAP_MB });
    worker.unref();
    worker.on('message', (report: LeaseReport) => {
      this.#hear(report);
    });
    worker.on('error', (error) => {
      this.#died(error);
    });
    worker.on('exit', (code) => {
      this.#died(`it exited with ${code}`);
    });
    return worker;
  }

  #ask(request: LeaseRequest): void {
    this.#worker?.postMessage(request);
  }

  #hear(report: LeaseReport): void {
    switch (report.kind) {
      case 'log':
        if (!this.#mute) this.#options.log[report.level](report.fields, report.message);
        return;
      case 'standing':
        this.#standing = report.standing;
        this.installedAt = report.installedAt;
        return;
      case 'leading':
        this.#term = report.term;
        this.installedAt = report.installedAt;
        this.watch();
        if (this.isLeader()) this.begin(report.term);
        return;
      case 'lost':
        this.end(report.why);
        return;
      case 'mended':
        this.#options.mended?.();
        return;
      case 'checked':
        this.#checks.get(report.id)?.(report.check);
        return;
      case 'released':
        this.#hasReleased();
    }
  }

  /** Sends a heartbeat. Also checks the deadline: after a long turn, timers run first. */
  #beat(): void {
    this.#memory.signOfLife = this.#clock.monotonic();
    this.isLeader();
    if (!this.lost.aborted)
      this.#cancelBeat = this.#clock.after(BEAT_MS, () => {
        this.#beat();
      });
  }

  #died(error: unknown): void {
    const detail = error instanceof Error ? error.message : String(error);
    this.end(`the thread that renews it has ended: ${detail}`);
    this.#hasReleased();
  }
}
