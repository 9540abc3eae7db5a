import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { IMAGE } from './image.ts';
import { within } from './wait.ts';

export const BUNDLE = join(import.meta.dirname, '../../hnotif/dist/hnotif.mjs');

export const AT_ANY_PORT = ['--metrics-address=127.0.0.1:0', '--health-address=127.0.0.1:0'];

/** One process after the other: who starts it knows that the former one is dead, so none waits for its Lease. */
export const ALONE = ['--lease-namespace=default', '--leader-elect=false'];

/** A short Lease, but long enough for a busy machine. */
export const QUICK_LEASE = ['--lease-duration=6s', '--renew-deadline=4s', '--retry-period=200ms'];

/** Longer than a start takes on a busy machine (milliseconds). */
const START_MS = 240_000;

export interface ProcessOptions {
  /** A command that replaces itself with its last arguments, which run node. Default: none. */
  readonly before?: readonly string[];
  /** More flags of Node, such as `--max-old-space-size=60`. */
  readonly node?: readonly string[];
  /** Additional environment variables, such as those of a `ClockFile`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly bundle?: string;
  /** A file to which its log is appended, so that its lines are not kept in memory. */
  readonly logFile?: string;
  /** Called with each line of its output and its log. */
  readonly onLine?: (line: string) => void;
}

/** The addresses of a process for probes and metrics. */
export interface Started {
  readonly metrics: string;
  readonly health: string;
}

export type Exit = number | NodeJS.Signals | null;

/** hnotif as users start it: the bundle, in a process of its own, with the settings of the image. */
export class Process {
  readonly pid: number;
  readonly stdout: string[] = [];
  readonly stderr: string[] = [];
  /** The exit code, or the signal that ended it. */
  readonly exit: Promise<Exit>;
  /** Resolves when it listens; with undefined if it ends before. */
  readonly started: Promise<Started | undefined>;
  /** Resolves with the time when it began to serve: plans are listed. With undefined if it ends before. */
  readonly serving: Promise<number | undefined>;
  servedAt: number | undefined;
  hasEnded = false;
  /** Its term and its identity in the Lease as a leader; undefined: it has not led. */
  term: number | undefined;
  identity: string | undefined;
  /** When it reported that it lost leadership, without a signal… */
  fellAt: number | undefined;
  /** …and why. */
  fellFor = '';
  readonly #child: ChildProcess;
  readonly #looking = new Set<(line: string) => void>();

  /** `args`: the command and its arguments. */
  constructor(args: readonly string[], options: ProcessOptions = {}) {
    const { before = [], node = [], env = {}, bundle = BUNDLE, logFile, onLine } = options;
    const [program = '', ...rest] = [...before, process.execPath, ...IMAGE.flags, ...node, bundle, ...args];
    const child = spawn(program, rest, {
      env: { PATH: process.env.PATH, HOME: '/nonexistent', ...IMAGE.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.pid = child.pid ?? 0;
    const log = logFile === undefined ? undefined : createWriteStream(logFile, { flags: 'a' });
    for (const stream of ['stdout', 'stderr'] as const)
      createInterface(child[stream]).on('line', (line) => {
        if (log === undefined) this[stream].push(line);
        else log.write(`${line}\n`);
        this.#look(line);
        onLine?.(line);
        for (const look of this.#looking) look(line);
      });
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    this.exit = once(child, 'close').then(([code, signal]) => {
      this.hasEnded = true;
      process.off('exit', kill);
      log?.end();
      return (code ?? signal) as Exit;
    });
    this.started = this.line(/"msg":"started"/).then(
      (line) => JSON.parse(line) as Started,
      () => undefined,
    );
    this.serving = this.line(/"msg":"serving"/).then(
      () => this.servedAt,
      () => undefined,
    );
  }

  /** Resolves with the first line of its output or log that matches. @throws when it ends before */
  line(pattern: RegExp): Promise<string> {
    const said = (): string[] => [...this.stdout, ...this.stderr];
    return new Promise((resolve, reject) => {
      const look = (line: string): void => {
        if (!pattern.test(line)) return;
        this.#looking.delete(look);
        resolve(line);
      };
      this.#looking.add(look);
      for (const line of said()) look(line);
      void this.exit.then((exit) => {
        reject(new Error(`ended with ${exit} before ${String(pattern)}: ${said().join('\n')}`));
      });
    });
  }

  /** Resolves when it serves. @throws when it ends before, or takes too long */
  async serves(): Promise<number> {
    const servedAt = await within(START_MS, 'the start of hnotif', this.serving);
    if (servedAt === undefined) throw new Error(`hnotif has ended: ${this.stderr.at(-1)}`);
    return servedAt;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Exit> {
    this.kill(signal);
    return this.exit;
  }

  /** Closes the pipe early, like `| head`. */
  closeOutput(stream: 'stdout' | 'stderr' = 'stdout'): void {
    this.#child[stream]?.destroy();
  }

  /** The text of a page of its servers; `''`: there was no answer. */
  async page(server: keyof Started, path: string, signal?: AbortSignal): Promise<string> {
    const started = await this.started;
    if (started === undefined) return '';
    return fetch(`${started[server]}${path}`, signal && { signal })
      .then((answer) => answer.text())
      .catch(() => '');
  }

  /** Its processor time so far, of all threads, and the longest stall of its event loop since the last call (milliseconds). */
  async busy(signal?: AbortSignal): Promise<{ readonly cpuMs: number; readonly stallMs: number }> {
    const text = await this.page('metrics', '/metrics', signal);
    const seconds = (name: string): number =>
      Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
    return {
      cpuMs: 1000 * seconds('process_cpu_seconds_total'),
      stallMs: 1000 * seconds('nodejs_eventloop_lag_max_seconds'),
    };
  }

  /** Its processor time so far, of all threads that have not ended (milliseconds). Asks it nothing. 0 where the system does not report it. */
  async cpuMs(): Promise<number> {
    const folder = `/proc/${this.pid}/task`;
    const threads = await readdir(folder).catch(() => []);
    const times = threads.map((thread) =>
      readFile(join(folder, thread, 'schedstat'), 'utf8').catch(() => '0'),
    );
    return (await Promise.all(times)).reduce((sum, text) => sum + parseInt(text, 10) / 1e6, 0);
  }

  /** Its resident memory now, and its peak so far (bytes). NaN where the system does not report it. */
  async memory(): Promise<{ readonly now: number; readonly peak: number }> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8').catch(() => '');
    const bytes = (field: string): number =>
      1024 * Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN);
    return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
  }

  #look(line: string): void {
    if (line.includes('"msg":"serving"')) this.servedAt ??= Date.now();
    if (line.includes('"msg":"leading"'))
      ({ term: this.term, identity: this.identity } = JSON.parse(line) as {
        readonly term: number;
        readonly identity: string;
      });
    if (!line.includes('"msg":"lost leadership')) return;
    this.fellAt = Date.now();
    this.fellFor = (JSON.parse(line) as { readonly reason: string }).reason;
  }
}
