import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { IMAGE } from '../../../lab/src/image.ts';

const BUNDLE = join(import.meta.dirname, '../../dist/hnotif.mjs');

export interface KillableOptions {
  /** The command of hnotif; default `run`. */
  readonly command?: string;
  /** A command that replaces itself with its last arguments, which run node. Default: none. */
  readonly before?: readonly string[];
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called with each line of its output and its log. */
  readonly onLine?: (line: string) => void;
}

/** The addresses of a process for probes and metrics. */
export interface Started {
  readonly metrics: string;
  readonly health: string;
}

/** The controller as a separate process. Node runs the bundle directly, so that it gets the signals. */
export class Killable {
  readonly pid: number;
  /** Resolves when it listens; never if it ends before. */
  readonly started: Promise<Started>;
  /** When it began to serve: plans are listed, milliseconds since the epoch. */
  readonly serving: Promise<number>;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  isServing = false;
  /** Its term as a leader; undefined: it has not led. */
  term: number | undefined;
  hasEnded = false;
  /** When it reported that it lost leadership, without a signal… */
  fellAt: number | undefined;
  /** …and why. */
  fellFor = '';
  readonly #child: ChildProcess;

  /** Appends its log to `logFile`. */
  constructor(args: readonly string[], logFile: string, options: KillableOptions = {}) {
    const { command = 'run', before = [], env = {}, onLine } = options;
    const [program = '', ...rest] = [
      ...[...before, process.execPath, ...IMAGE.flags],
      ...[BUNDLE, command, ...args],
    ];
    const child = spawn(program, rest, {
      env: {
        ...{ PATH: process.env.PATH, HOME: '/nonexistent', POD_NAMESPACE: 'default' },
        ...{ ...IMAGE.env, ...env },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.pid = child.pid ?? 0;
    const log = createWriteStream(logFile, { flags: 'a' });
    createInterface(child.stdout).on('line', (line) => onLine?.(line));
    const lines = createInterface(child.stderr);
    lines.on('line', (line) => {
      log.write(`${line}\n`);
      onLine?.(line);
      if (line.includes('"msg":"leading"'))
        ({ term: this.term } = JSON.parse(line) as { readonly term: number });
      if (!line.includes('"msg":"lost leadership')) return;
      this.fellAt = Date.now();
      this.fellFor = (JSON.parse(line) as { readonly reason: string }).reason;
    });
    this.started = new Promise((resolve) => {
      lines.on('line', (line) => {
        if (line.includes('"msg":"started"')) resolve(JSON.parse(line) as Started);
      });
    });
    this.serving = new Promise((resolve) => {
      lines.on('line', (line) => {
        if (!line.includes('"msg":"serving"')) return;
        this.isServing = true;
        resolve(Date.now());
      });
    });
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    this.ended = once(child, 'close').then(([code, signal]) => {
      this.hasEnded = true;
      process.off('exit', kill);
      log.end();
      return (code ?? signal) as number | NodeJS.Signals | null;
    });
  }

  /** Sends a signal that does not end it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  /** Sends a signal and waits for the end. */
  async end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> {
    this.#child.kill(signal);
    return this.ended;
  }
}
