import { constants } from 'node:os';
import type { Logger } from 'pino';
import { EXIT } from './exit.ts';
import { STOP_SIGNALS, type StopSignal } from './signals.ts';

/** What a stop that follows a fault may take besides the drain: half of it is in the hands of what has failed (milliseconds). */
const AFTER_A_FAULT_MS = 15_000;
/** So many faults are told; a process that goes on failing is ended. */
const MAX_FAULTS = 10;

export const FAULT = 'fault of our own: the process ends, so that a new one begins afresh';

/**
 * How long a run goes on. From the moment it is made, signals and faults are its: the first signal asks to stop, the
 * second not to wait, the third ends the process as it is. What nobody caught is told and asks to stop, too; so does the
 * loss of the Lease.
 */
export class Lifetime {
  /** Resolves when it is time to stop. */
  readonly ending: Promise<void>;
  readonly #log: Logger;
  readonly #drainMs: number;
  readonly #hurry = new AbortController();
  #end: () => void = () => undefined;
  #signals = 0;
  #faults = 0;
  #exit: number = EXIT.ok;

  constructor(log: Logger, drainMs: number) {
    this.#log = log;
    this.#drainMs = drainMs;
    this.ending = new Promise((resolve) => {
      this.#end = resolve;
    });
    for (const signal of STOP_SIGNALS)
      process.on(signal, () => {
        this.#signalled(signal);
      });
    // Rejections that nobody handles come here as well.
    process.on('uncaughtException', (error) => {
      this.#failed(error);
    });
  }

  /** Aborts when a stop is to wait for nothing more. */
  get hurry(): AbortSignal {
    return this.#hurry.signal;
  }

  /** The exit code after the stop. */
  get exit(): number {
    return this.#exit;
  }

  /** It may not go on: another process serves, or soon will. Whoever starts it again gets one that stands by. */
  deposed(): void {
    this.#exit = EXIT.failed;
    this.#end();
  }

  #signalled(signal: StopSignal): void {
    this.#signals++;
    if (this.#signals === 1) this.#log.info({ signal }, 'stopping');
    else if (this.#signals === 2) this.#log.warn({ signal }, 'stopping at once');
    else {
      this.#log.warn({ signal }, 'ended in the middle of the stop');
      endBy(signal);
    }
    if (this.#signals === 2) this.#hurry.abort();
    this.#end();
  }

  #failed(error: unknown): void {
    this.#faults++;
    this.#exit = EXIT.failed;
    this.#log.fatal({ err: error }, FAULT);
    if (this.#faults >= MAX_FAULTS) process.exit(EXIT.failed);
    // Nobody knows what of the process still works: the stop may hang.
    if (this.#faults === 1)
      setTimeout(() => process.exit(EXIT.failed), this.#drainMs + AFTER_A_FAULT_MS).unref();
    this.#end();
  }
}

/** Ends the process as the signal would have without us. `exit` alone waits for files and names that are being read. */
function endBy(signal: StopSignal): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The first process of a container is spared its own signals. As shells tell it: 128 and the signal's number.
  process.exit(128 + constants.signals[signal]);
}
