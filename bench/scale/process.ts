import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { IMAGE } from '../../packages/lab/src/image.ts';
import type { Memory } from '../scale-probe.ts';

/** `hnotif run` from the bundle, in a separate process. */
export interface HnotifProcess {
  /** Milliseconds from its start until `/readyz` answered 200. */
  readonly readyMs: number;
  memory(): Promise<Resident>;
  /** The longest stall of its event loop since the last call. */
  stalled(): Promise<Pick<Memory, 'stalledMs' | 'stalledCpuMs'>>;
  /** Its processor time so far, milliseconds. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

/** Bytes. */
interface Resident {
  readonly now: number;
  /** The peak so far. Undefined if the system does not report it. */
  readonly peak: number | undefined;
}

const POLL_MS = 10;

interface HnotifOptions {
  /** More flags of `hnotif run`. */
  readonly flags?: readonly string[];
  /** More flags of Node. */
  readonly node?: readonly string[];
  /** Called with each warning and error of the log. Default: it is printed. */
  readonly troubled?: (line: string) => void;
}

export async function startHnotif(
  kubeconfig: string,
  { flags = [], node = [], troubled = console.error }: HnotifOptions = {},
): Promise<HnotifProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-bench-'));
  const file = join(folder, 'kubeconfig');
  await writeFile(file, kubeconfig);
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...IMAGE.flags,
      ...['--import', new URL('./scale-probe.mjs', import.meta.url).href],
      ...node,
      ...['packages/hnotif/dist/hnotif.mjs', 'run', '--kubeconfig', file],
      ...['--metrics-address', '127.0.0.1:0', '--health-address', '127.0.0.1:0', '--drain-timeout', '1s'],
      ...flags,
    ],
    {
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      env: { ...process.env, ...IMAGE.env },
    },
  );
  const { pid = 0, stderr } = child;
  if (stderr === null) throw new Error('hnotif has no log');
  const ended = once(child, 'exit');
  const health = await new Promise<string>((resolve, reject) => {
    createInterface({ input: stderr }).on('line', (line) => {
      const entry = JSON.parse(line) as { msg: string; level: string; health?: string };
      if (entry.msg === 'started') resolve(entry.health ?? '');
      else if (entry.level !== 'info') troubled(line);
    });
    child.on('exit', () => {
      reject(new Error('hnotif has ended'));
    });
  });
  while (!(await fetch(`${health}/readyz`)).ok) await sleep(POLL_MS);
  const readyMs = performance.now() - begun;

  const ask = async (): Promise<Memory> => {
    const answer = once(child, 'message');
    child.send({});
    const [memory] = (await answer) as [Memory];
    return memory;
  };
  const memory = async (): Promise<Resident> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const bytes = (field: string): number | undefined => {
      const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
      return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
    };
    return { now: bytes('VmRSS') ?? (await ask()).rss, peak: bytes('VmHWM') };
  };
  return {
    readyMs,
    memory,
    stalled: ask,
    cpuMs: async () => (await ask()).cpuMs,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
