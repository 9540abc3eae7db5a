/**
 * A plan of thousands of targets and hundreds of sinks whose receivers never answer, in `hnotif run` from the bundle. All targets change
 * at once, and a tenth of them ten times more. Measures the stalls of the event loop, the memory, and the latency of a healthy sink of
 * another namespace, from the write of its plan's status to the arrival.
 */
import type { TargetChange } from '@hnotif/core/lifecycle';
import { ok, startAnswering } from '../../answering.ts';
import { aim, mb, quantile, spread } from '../../figures.ts';
import { createNamespace } from '../../objects.ts';
import { Team } from '../../team.ts';
import { pause, within } from '../../wait.ts';
import { onStage } from './stage.ts';

const NOTIFICATIONS = 12;
const SINKS = Array.from({ length: 32 }, (_, index) => ({ name: `sink-${index}`, secret: 'hook' }));
/** The number of targets. No plan has more than the last. */
const TARGETS = [5_000, 10_000];
const FURTHER = 10;
/** The duration of the neighbour's writes for each write of the wide plan, in milliseconds. */
const BESIDE_MS = 2_500;
/** The time between two writes of the neighbour, in milliseconds. */
const GAP_MS = 20;
const LIMIT_MS = 60_000;
const AIM_BYTES = 300e6;
const AIM_STALL_MS = 50;
const PLAN = 'nightly';

const moved = (targets: readonly string[], state: TargetChange['state'], message: string): TargetChange[] =>
  targets.map((target) => ({
    ...{ target, state, message: `${message} ${target} in eu-central-1` },
    jobRef: `wide/runner-${target}`,
  }));

async function measure(count: number, node: readonly string[]): Promise<void> {
  const targets = Array.from(
    { length: count },
    (_, index) => `payments-db-${String(index).padStart(5, '0')}`,
  );
  let arrived = (): void => {};
  const receiver = await startAnswering(({ path }) => {
    if (path !== '/small') return { kind: 'hang' };
    arrived();
    return ok();
  });
  const teams: Team[] = [];
  const prepare = async ({ kube }: { readonly kube: Team['kube'] }): Promise<void> => {
    for (const [name, all] of [
      ['wide', targets],
      ['small', ['db']],
    ] as const) {
      const team = new Team(name, kube);
      teams.push(team);
      await createNamespace(kube, name);
      await team.secret('hook', { url: `${receiver.origin}/${name}` });
      if (name === 'small')
        await team.notification('watch', { onEvents: ['ExecutionProgress'], sinks: [{ name: 'hook' }] });
      else
        for (let index = 0; index < NOTIFICATIONS; index++)
          await team.notification(`watch-${index}`, { sinks: SINKS });
      await team.plan(PLAN, all);
      await team.begins(PLAN, { targets: all });
    }
  };
  let troubles = 0;
  const none = { plans: 0, namespaces: 0, cycles: 0, targets: 0 };
  await onStage(
    { scale: none, pauseMs: 1_500, node, prepare, troubled: () => troubles++ },
    async ({ hnotif }) => {
      let writes = 0;
      /** The neighbour's target changes again and again for this time. Returns the latency of each message, in milliseconds. */
      const neighbour = async (ms: number): Promise<number[]> => {
        const took: number[] = [];
        for (const end = performance.now() + ms; performance.now() < end;) {
          const came = new Promise<void>((resolve) => (arrived = resolve));
          const begun = performance.now();
          await teams[1]?.sees(PLAN, ...moved(['db'], writes++ % 2 === 0 ? 'Running' : 'Completed', 'now'));
          await within(LIMIT_MS, 'the neighbour’s message', came);
          took.push(performance.now() - begun);
          await pause(GAP_MS);
        }
        return took;
      };
      /** The wide plan's status is written while the neighbour's writes continue. */
      const write = async (...change: Parameters<typeof moved>): Promise<number[]> => {
        const [took] = await Promise.all([neighbour(BESIDE_MS), teams[0]?.sees(PLAN, ...moved(...change))]);
        return took;
      };
      const show = async (what: string, took: number[]): Promise<number> => {
        const [{ stallMs }, { now, peak }] = [await hnotif.busy(), await hnotif.memory()];
        console.log(
          `  ${what.padEnd(24)} loop stalled for ${stallMs.toFixed(0).padStart(5)} ms at most; ` +
            `resident ${mb(now)}, at most ${mb(peak)}; neighbour ${spread(took, 'ms')}`,
        );
        return stallMs;
      };
      await neighbour(BESIDE_MS);
      await hnotif.busy();
      console.log(`${count} targets × ${NOTIFICATIONS * SINKS.length} sinks`);
      const alone = await neighbour(BESIDE_MS);
      await show('at rest', alone);
      const beside = await write(targets, 'Running', 'stopping');
      const stalls = [await show('all targets move', beside)];
      const tenth = count / FURTHER;
      for (let part = 0; part < FURTHER; part++)
        beside.push(
          ...(await write(targets.slice(part * tenth, (part + 1) * tenth), 'Completed', 'stopped')),
        );
      stalls.push(await show(`${FURTHER} writes of a tenth`, beside));
      const [stall, { peak }] = [Math.max(...stalls), await hnotif.memory()];
      const ratio = quantile(beside, 0.99) / quantile(alone, 0.99);
      console.log(
        `  ${aim('no stall above 50 ms', stall <= AIM_STALL_MS)}; ${aim('memory under 300 MB', peak < AIM_BYTES)}; ` +
          `the neighbour's p99 is ${ratio.toFixed(1)} times that at rest; ${troubles} lines of the log tell of troubles`,
      );
    },
  );
  await receiver.close();
}

export async function wide(node: readonly string[]): Promise<void> {
  for (const targets of TARGETS) await measure(targets, node);
}
