import { expect, onTestFinished } from 'vitest';
import { Process } from '../../../lab/src/process.ts';
import type { World } from './world.ts';

export { AT_ANY_PORT, BUNDLE, QUICK_LEASE } from '../../../lab/src/process.ts';

/** A process of the command line. */
export type Run = Process;

/** The command line of users: the bundle, in a separate process that ends with the test. */
export function hnotif(...command: Parameters<typeof started>): Run {
  const run = started(...command);
  onTestFinished(() => run.kill('SIGKILL'));
  return run;
}

/** …for several tests. The caller ends it. */
export const started = (args: readonly string[], env: Record<string, string> = {}, bundle?: string): Run =>
  new Process(args, { env, ...(bundle !== undefined && { bundle }) });

/** The flags of `hnotif dev` for the ports of its servers, without the dashes. */
export const DEV_SERVERS = [
  ...['port', 'receiver-port', 'teamchat-port', 'botchat-port', 'msteams-port'],
  ...['metrics-port', 'health-port', 'ui-port'],
];
export const DEV_PORTS = DEV_SERVERS.map((server) => `--${server}=0`);

/** A controller for a world, in a separate process, that has listed everything. */
export async function serving(world: World, ...args: readonly string[]): Promise<Run> {
  const run = await world.process(args);
  await run.line(/"msg":"serving"/);
  return run;
}

/** The last line of the log, with the result of all deliveries. */
export const stopped = (run: Run): Record<string, unknown> =>
  JSON.parse(run.stderr.at(-1) ?? '{}') as Record<string, unknown>;

/** Reads the metrics until they match. */
export async function readMetric(run: Run, pattern: RegExp): Promise<void> {
  await expect.poll(() => run.page('metrics', '/metrics')).toMatch(pattern);
}

/** What `/readyz` answers. */
export async function readyz(run: Run): Promise<readonly [status: number, text: string]> {
  const { health = '' } = (await run.started) ?? {};
  const answer = await fetch(`${health}/readyz`);
  return [answer.status, await answer.text()];
}

/** Resolves when a request hangs at the world's receiver. */
export const hanging = (world: World): Promise<unknown> =>
  world.receiver.waitFor((records) => records.some(({ answered }) => answered.fault === 'hang'));
