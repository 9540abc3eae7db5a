/**
 * What an installation pays every hour, and at 20:00. With `BENCH_BEFORE=DIR`, a work tree with its own build, each round measures that
 * build, too, in turns. Each measurement has a control plane and plans of its own.
 */
import { loadavg } from 'node:os';
import { join, relative } from 'node:path';
import { BUNDLE } from '../../process.ts';
import { mb, median, table } from '../../figures.ts';
import { ALL } from '../../objects.ts';
import { STEPS } from '../../scale/night.ts';
import type { ScaleSink } from '../../scale/sinks.ts';
import { pause, until } from '../../wait.ts';
import { chosen, QUIET_MS, night, SIZES, type Size } from './nights.ts';
import { LIMIT_MS, MESSAGES_OF_START, messagesOfRest, onStage, WEBHOOKS } from './stage.ts';

const ROUNDS = 5;
/** After a start hnotif collects its garbage, up to 20 s later; another 20 s later V8 collects once more. */
const SETTLE_MS = 40_000;
const IDLE_MS = 20_000;

const ROWS: Readonly<Record<string, (value: number) => string>> = {
  'resident, idle': mb,
  'resident, at most in a night': mb,
  'CPU of the Starts': (ms) => `${ms.toFixed(0)} ms`,
  'CPU of the rest of the night': (ms) => `${ms.toFixed(0)} ms`,
  'from exec to serving': (ms) => `${ms.toFixed(0)} ms`,
  'CPU from exec to serving': (ms) => `${ms.toFixed(0)} ms`,
  'CPU of the start, its garbage collected': (ms) => `${ms.toFixed(0)} ms`,
  'CPU, idle, of a core': (part) => `${(100 * part).toFixed(2)} %`,
  'resident, at most in a night with two dead sinks a namespace': mb,
};

/** Nothing listens at this port: each delivery waits, and is tried again. */
const NOWHERE = 'http://127.0.0.1:1/NAMESPACE';

const DEAD: readonly ScaleSink[] = ['dead-1', 'dead-2'].map((name) => ({
  ...{ name, type: 'webhook', onEvents: ALL, config: { url: NOWHERE } },
}));

/** The figures of one process, in the order of `ROWS`. */
async function measured(scale: Size, bundle: string, node: readonly string[]): Promise<number[]> {
  let figures: number[] = [];
  await onStage({ scale, bundle, node, pauseMs: QUIET_MS, troubled: () => undefined }, async (stage) => {
    const { hnotif, readyMs, readyCpuMs } = stage;
    await pause(SETTLE_MS);
    const settled = await hnotif.cpuMs();
    await pause(IDLE_MS);
    const idle = ((await hnotif.cpuMs()) - settled) / IDLE_MS;
    const { now } = await hnotif.memory();
    const { start, rest } = await night(stage, scale, 0);
    const { peak } = await hnotif.memory();
    figures = [now, peak, start.hnotifMs, rest?.hnotifMs ?? NaN, readyMs, readyCpuMs, settled, idle];
  });
  return [...figures, await besideDeadSinks(scale, bundle, node)];
}

/** Resident memory, at most, in a night whose other messages all arrive (bytes). */
async function besideDeadSinks(scale: Size, bundle: string, node: readonly string[]): Promise<number> {
  let atMost = NaN;
  const sinks = (origin: string): readonly ScaleSink[] => [...WEBHOOKS(origin), ...DEAD];
  await onStage(
    { scale, sinks, bundle, node, pauseMs: QUIET_MS, troubled: () => undefined },
    async (stage) => {
      const { hnotif, plane, receiver } = stage;
      for (const step of STEPS) await plane.play({ step, round: 0, overMs: scale.stepMs ?? 0 });
      const messages = scale.plans * (MESSAGES_OF_START + messagesOfRest(scale.targets));
      await until(() => receiver.requests >= messages, { what: `${messages} messages`, limitMs: LIMIT_MS });
      atMost = (await hnotif.memory()).peak;
    },
  );
  return atMost;
}

/** `BENCH_ROUNDS=9`: default 5. */
export async function cost(node: readonly string[]): Promise<void> {
  const { BENCH_BEFORE, BENCH_ROUNDS = ROUNDS } = process.env;
  const before = BENCH_BEFORE && join(BENCH_BEFORE, relative(join(BUNDLE, '../../../..'), BUNDLE));
  const builds = [...(before ? [['before', before] as const] : []), ['now', BUNDLE] as const];
  for (const scale of chosen(SIZES)) {
    const all = new Map(builds.map(([name]) => [name, [] as number[][]]));
    for (let round = 0; round < Number(BENCH_ROUNDS); round++)
      for (const [name, bundle] of builds) all.get(name)?.push(await measured(scale, bundle, node));
    const row = ([what, shown]: [string, (value: number) => string], at: number): string[] => [
      what,
      ...builds.map(([name]) => shown(median((all.get(name) ?? []).map((figures) => figures[at] ?? NaN)))),
    ];
    console.log(
      `${scale.plans} plans; Node ${process.versions.node}; medians of ${BENCH_ROUNDS} rounds; load of the machine ${loadavg()[0]?.toFixed(1) ?? '?'}`,
    );
    const head = ['', ...builds.map(([name]) => name)];
    console.log(table([head, ...Object.entries(ROWS).map(row)]));
  }
}
