import { constants } from 'node:os';
import type { Clock } from '@hnotif/core/clock';
import type { Logger } from 'pino';
import { EXIT } from './exit.ts';
import { STOP_SIGNALS } from './signals.ts';

/** A stop after an internal error may take this time, besides the drain (milliseconds). */
const AFTER_A_FAULT_MS = 15_000;
/** The process ends after this number of internal errors. */
const MAX_FAULTS = 10;

export const FAULT = 'fault of our own: the process ends, so that a new one begins afresh';

/**
 * Decides when a run ends. It handles signals and uncaught errors: the first signal starts a stop, the second ends its waiting, the
 * third ends the process. An uncaught error or the loss of the Lease starts a stop, too.
 */
export class Lifetime {
  /** Resolves when it is time to stop. */
  readonly ending: Promise<void>;
  readonly #log: Logger;
  readonly #drainMs: number;
  readonly #clock: Clock;
  readonly #hurry = new AbortController();
  #end: () => void = () => undefined;
  #signals = 0;
  #faults = 0;
  #exit: number = EXIT.ok;

  constructor(log: Logger, drainMs: number, clock: Clock) {
    this.#log = log;
    this.#drainMs = drainMs;
    this.#clock = clock;
    this.ending = new Promise((resolve) => {
      this.#end = resolve;
    });
    for (const signal of STOP_SIGNALS) process.on(signal, this.#signalled);
    // Unhandled rejections come here as well.
    process.on('uncaughtException', this.#failed);
  }

  /** Handles nothing more. */
  close(): void {
    for (const signal of STOP_SIGNALS) process.off(signal, this.#signalled);
    process.off('uncaughtException', this.#failed);
  }

  /** Aborts when a stop must not wait any more. */
  get hurry(): AbortSignal {
    return this.#hurry.signal;
  }

  /** The exit code after the stop. */
  get exit(): number {
    return this.#exit;
  }

  /** Leadership is lost: another process leads, or soon will. */
  leadershipLost(): void {
    this.#exit = EXIT.failed;
    this.#end();
  }

  readonly #signalled = (signal: NodeJS.Signals): void => {
    this.#signals++;
    if (this.#signals === 1) this.#log.info({ signal }, 'stopping');
    else if (this.#signals === 2) this.#log.warn({ signal }, 'stopping at once');
    else {
      this.#log.warn({ signal }, 'ended in the middle of the stop');
      endBy(signal);
    }
    if (this.#signals === 2) this.#hurry.abort();
    this.#end();
  };

  readonly #failed = (error: unknown): void => {
    this.#faults++;
    this.#exit = EXIT.failed;
    this.#log.fatal({ err: error }, FAULT);
    if (this.#faults >= MAX_FAULTS) process.exit(EXIT.failed);
    // After an error the stop may hang.
    if (this.#faults === 1)
      this.#clock.after(this.#drainMs + AFTER_A_FAULT_MS, () => process.exit(EXIT.failed));
    this.#end();
  };
}

/** Ends the process as the signal does by default. `exit` alone would wait for running file reads and look-ups. */
function endBy(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The first process of a container ignores its own signals. Shells use 128 plus the number of the signal.
  process.exit(128 + constants.signals[signal]);
}
