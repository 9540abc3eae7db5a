import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const BUNDLE = join(import.meta.dirname, '../../dist/hnotif.mjs');

/** The controller as a process of its own: the bundle, run by node itself, so that it gets the signals. */
export class Killable {
  /** When it began to serve: plans are listed, milliseconds since the epoch. */
  readonly serving: Promise<number>;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  isServing = false;
  hasEnded = false;
  /** When it said that it may not go on, though nobody killed it. */
  fellAt: number | undefined;
  readonly #child: ChildProcess;

  /** Appends its log to `logFile`. */
  constructor(args: readonly string[], logFile: string) {
    const child = spawn(process.execPath, [BUNDLE, 'run', ...args], {
      env: {
        ...{ PATH: process.env.PATH, HOME: '/nonexistent', POD_NAMESPACE: 'default' },
        // As in the image.
        UV_THREADPOOL_SIZE: '64',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    const log = createWriteStream(logFile, { flags: 'a' });
    this.serving = new Promise((resolve) => {
      createInterface(child.stderr).on('line', (line) => {
        log.write(`${line}\n`);
        if (line.includes('"msg":"lost leadership')) this.fellAt = Date.now();
        if (!line.includes('"msg":"serving"')) return;
        this.isServing = true;
        resolve(Date.now());
      });
    });
    this.ended = once(child, 'close').then(([code, signal]) => {
      this.hasEnded = true;
      log.end();
      return (code ?? signal) as number | NodeJS.Signals | null;
    });
  }

  /** Sends a signal and waits for the end. */
  async end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> {
    this.#child.kill(signal);
    return this.ended;
  }
}
