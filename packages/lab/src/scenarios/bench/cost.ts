/**
 * What an installation pays every hour, and at 20:00. With `BENCH_BEFORE=DIR`, a work tree with its own build, each round measures that
 * build, too, in turns. Each measurement has a control plane and plans of its own.
 */
import { join, relative } from 'node:path';
import { ALL } from '../../objects.ts';
import { BUNDLE } from '../../process.ts';
import { STEPS } from '../../scale/night.ts';
import type { ScaleSink } from '../../scale/sinks.ts';
import { pause, until } from '../../wait.ts';
import { chosen, night, QUIET_MS, type Size } from './nights.ts';
import { roundsOf, type Bench, type Figures } from './sheet.ts';
import { LIMIT_MS, MESSAGES_OF_START, messagesOfRest, onStage, WEBHOOKS } from './stage.ts';

/** After a start hnotif collects its garbage, up to 20 s later; another 20 s later V8 collects once more. */
const SETTLE_MS = 40_000;
const IDLE_MS = 20_000;

/** Nothing listens at this port: each delivery waits, and is tried again. */
const DEAD: readonly ScaleSink[] = ['dead-1', 'dead-2'].map((name) => ({
  ...{ name, type: 'webhook', onEvents: ALL, config: { url: 'http://127.0.0.1:1/NAMESPACE' } },
}));

interface Measured {
  readonly scale: Size;
  readonly bundle: string;
  readonly node: readonly string[];
}

const figuresOf = (of: Measured): Promise<Figures> =>
  onStage({ ...of, pauseMs: QUIET_MS }, async (stage) => {
    const { hnotif, readyMs, readyCpuMs } = stage;
    await pause(SETTLE_MS);
    const settled = await hnotif.cpuMs();
    await pause(IDLE_MS);
    const idle = ((await hnotif.cpuMs()) - settled) / IDLE_MS;
    const { now } = await hnotif.memory();
    const [start, rest] = await night(stage, of.scale, 0);
    const { peak } = await hnotif.memory();
    return {
      'resident, idle (MB)': now / 1e6,
      'resident, at most in a night (MB)': peak / 1e6,
      'CPU of the Starts (ms)': start.hnotifMs,
      'CPU of the rest of the night (ms)': rest?.hnotifMs ?? NaN,
      'from exec to serving (ms)': readyMs,
      'CPU from exec to serving (ms)': readyCpuMs,
      'CPU of the start, its garbage collected (ms)': settled,
      'CPU, idle, of a core (%)': 100 * idle,
    };
  });

/** Resident memory, at most, in a night whose other messages all arrive (bytes). */
const besideDeadSinks = (of: Measured): Promise<number> =>
  onStage(
    { ...of, sinks: (origin) => [...WEBHOOKS(origin), ...DEAD], pauseMs: QUIET_MS },
    async ({ hnotif, plane, receiver }) => {
      const { plans, stepMs = 0, targets } = of.scale;
      for (const step of STEPS) await plane.play({ step, round: 0, overMs: stepMs });
      const messages = plans * (MESSAGES_OF_START + messagesOfRest(targets));
      await until(() => receiver.requests >= messages, { what: `${messages} messages`, limitMs: LIMIT_MS });
      return (await hnotif.memory()).peak;
    },
  );

export const cost: Bench = {
  question:
    'memory and CPU, idle and in a night; BENCH_BEFORE=DIR: beside an older build, in turns (40 minutes)',
  async measure(note, node) {
    const { BENCH_BEFORE } = process.env;
    const before = BENCH_BEFORE && join(BENCH_BEFORE, relative(join(BUNDLE, '../../../..'), BUNDLE));
    const builds = [...(before ? [['before', before] as const] : []), ['now', BUNDLE] as const];
    for (const scale of chosen())
      for (let round = 0; round < roundsOf(5); round++)
        for (const [name, bundle] of builds) {
          const of = { scale, bundle, node };
          const figures = await figuresOf(of);
          const beside = (await besideDeadSinks(of)) / 1e6;
          const what = 'resident, at most in a night with two dead sinks a namespace (MB)';
          note(`${scale.plans} plans, ${name}`, { ...figures, [what]: beside });
        }
  },
};
