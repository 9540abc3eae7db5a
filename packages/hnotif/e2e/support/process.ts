import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { LOOPBACK_FLAGS } from '../../../lab/src/loopback.ts';
import type { World } from './world.ts';
import { IMAGE } from '../../../lab/src/image.ts';

export const BUNDLE = join(import.meta.dirname, '../../dist/hnotif.mjs');

/** A process of the command line. */
export interface Run {
  readonly pid: number;
  readonly stdout: string[];
  readonly stderr: string[];
  /** The exit code, or the signal that ended it. */
  readonly exit: Promise<number | NodeJS.Signals | null>;
  kill(signal: NodeJS.Signals): void;
  /** Closes the pipe early, like `| head`. */
  closeOutput(stream?: 'stdout' | 'stderr'): void;
  /** Resolves with the first line of either stream that matches. */
  line(pattern: RegExp): Promise<string>;
}

/** The command line of users: the bundle, in a separate process that ends with the test. */
export function hnotif(...command: Parameters<typeof started>): Run {
  const run = started(...command);
  onTestFinished(() => run.kill('SIGKILL'));
  return run;
}

/** …for several tests. The caller ends it. */
export function started(args: readonly string[], env: Record<string, string> = {}, bundle = BUNDLE): Run {
  const child = spawn(process.execPath, [bundle, ...args], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', ...IMAGE.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const run = { stdout: [] as string[], stderr: [] as string[] };
  const waiting = new Set<(line: string) => void>();
  for (const stream of ['stdout', 'stderr'] as const)
    createInterface(child[stream]).on('line', (line) => {
      run[stream].push(line);
      for (const look of waiting) look(line);
    });
  const exit = once(child, 'close').then(
    ([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null,
  );
  return {
    ...run,
    pid: child.pid ?? 0,
    exit,
    kill: (signal) => {
      child.kill(signal);
    },
    closeOutput: (stream = 'stdout') => child[stream].destroy(),
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (line: string): void => {
          if (!pattern.test(line)) return;
          waiting.delete(look);
          resolve(line);
        };
        waiting.add(look);
        for (const line of [...run.stdout, ...run.stderr]) look(line);
        void exit.then(() => {
          reject(new Error(`ended before ${String(pattern)}: ${[...run.stdout, ...run.stderr].join('\n')}`));
        });
      }),
  };
}

/** The flags of `hnotif dev` for the ports of its servers, without the dashes. */
export const DEV_SERVERS = [
  ...['port', 'receiver-port', 'teamchat-port', 'botchat-port', 'msteams-port'],
  ...['metrics-port', 'health-port', 'ui-port'],
];
export const DEV_PORTS = DEV_SERVERS.map((server) => `--${server}=0`);

/** A short Lease, but long enough for a busy machine. */
export const QUICK_LEASE = ['--lease-duration=6s', '--renew-deadline=4s', '--retry-period=200ms'];

export const AT_ANY_PORT = ['--metrics-address=127.0.0.1:0', '--health-address=127.0.0.1:0'];

/** A controller for a world, in a separate process. */
export async function running(world: World, ...args: readonly string[]): Promise<Run> {
  const kubeconfig = await world.kubeconfig();
  return hnotif([
    ...['run', `--kubeconfig=${kubeconfig}`, ...LOOPBACK_FLAGS, ...AT_ANY_PORT],
    ...[...world.addresses, ...args],
  ]);
}

/** …that has listed everything. */
export async function serving(world: World, ...args: readonly string[]): Promise<Run> {
  const run = await running(world, ...args);
  await run.line(/"msg":"serving"/);
  return run;
}

/** The last line of the log, with the result of all deliveries. */
export const stopped = (run: Run): Record<string, unknown> =>
  JSON.parse(run.stderr.at(-1) ?? '{}') as Record<string, unknown>;

/** Reads the metrics until they match. */
export async function readMetric(run: Run, pattern: RegExp): Promise<void> {
  const { metrics } = JSON.parse(await run.line(/"msg":"started"/)) as { metrics: string };
  await expect.poll(async () => (await fetch(`${metrics}/metrics`)).text()).toMatch(pattern);
}

/** What `/readyz` answers. */
export async function readyz(run: Run): Promise<readonly [status: number, text: string]> {
  const { health } = JSON.parse(await run.line(/"msg":"started"/)) as { health: string };
  const answer = await fetch(`${health}/readyz`);
  return [answer.status, await answer.text()];
}

/** Ends a process like a power cut. Resolves when it has ended. */
export async function killed(run: Run): Promise<void> {
  run.kill('SIGKILL');
  await run.exit;
}

/** Resolves when a request hangs at the world's receiver. */
export const hanging = (world: World): Promise<unknown> =>
  world.receiver.waitFor((records) => records.some(({ answered }) => answered.fault === 'hang'));
