/**
 * The needs of one process, by the number of plans: the memory after the start, the processor time and the journal writes of a night, and
 * the latency of the Starts of all plans within two seconds. As in `burst`, with hnotif's default flags. The control plane and the
 * receiver share the machine: processor time can be transferred to another machine, latency cannot.
 */
import { loadavg } from 'node:os';
import { mb, quantile } from '../../figures.ts';
import { STEPS, type Step } from '../../scale/night.ts';
import { pause } from '../../wait.ts';
import { MESSAGES_OF_START, messagesOfRest, onStage, part, type Part } from './stage.ts';

const PLANS_OF_NAMESPACE = 50;
const START_MS = 2_000;
const PAUSE_MS = 1_500;
const SETTLE_MS = 3_000;

interface Size {
  readonly plans: number;
  /** The later writes of all plans are spread over this time. Undefined: only the Starts are played. */
  readonly stepMs: number | undefined;
  readonly targets: number;
  /** Nights and mornings in the history of a plan. */
  readonly cycles: number;
}
const SIZES: readonly Size[] = [
  { plans: 100, stepMs: 2_000, targets: 2, cycles: 0 },
  { plans: 1_000, stepMs: 3_000, targets: 2, cycles: 0 },
  { plans: 10_000, stepMs: 10_000, targets: 2, cycles: 0 },
  { plans: 10_000, stepMs: undefined, targets: 10, cycles: 5 },
  { plans: 50_000, stepMs: undefined, targets: 2, cycles: 0 },
];

const sum = (counts: Iterable<readonly [string, number]>, wanted: RegExp): number =>
  [...counts].reduce((all, [what, count]) => all + (wanted.test(what) ? count : 0), 0);

function show(
  name: string,
  plans: number,
  messages: number,
  { counts, hnotifMs, clusterMs, took }: Part,
): void {
  const at = (quantity: number): string => (quantile(took, quantity) / 1000).toFixed(1);
  console.log(
    `  ${name}: ${messages} messages; CPU ${(hnotifMs / 1000).toFixed(1)} s, ${(hnotifMs / plans).toFixed(2)} ms a plan, ${(hnotifMs / messages).toFixed(2)} ms a message; ` +
      `control plane ${(clusterMs / 1000).toFixed(1)} s; ${sum(counts, /^(create|patch|update) hibernatenotificationjournals/)} journal writes of ${sum(counts, /./)} requests; ` +
      `arrived p50 ${at(0.5)} p99 ${at(0.99)} last ${at(1)} s`,
  );
}

async function measure({ plans, stepMs, targets, cycles }: Size, node: readonly string[]): Promise<void> {
  const namespaces = Math.ceil(plans / PLANS_OF_NAMESPACE);
  const scale = { plans, namespaces, cycles, targets };
  let warnings = 0;
  await onStage({ scale, pauseMs: PAUSE_MS, node, troubled: () => warnings++ }, async (stage) => {
    const { hnotif, readyMs } = stage;
    await pause(SETTLE_MS);
    const { now: idle } = await hnotif.memory();
    console.log(
      `${plans} plans of ${targets} targets and ${cycles} cycles in ${namespaces} namespaces: ready after ${(readyMs / 1000).toFixed(1)} s; resident ${mb(idle)} idle`,
    );
    const [start, ...others] = STEPS;
    const play = async (
      name: string,
      steps: readonly Step[],
      overMs: number,
      each: number,
    ): Promise<void> => {
      const options = { round: 0, steps, overMs, messages: plans * each, quietMs: PAUSE_MS };
      show(name, plans, plans * each, await part(stage, options));
    };
    await play('Start', [start], START_MS, MESSAGES_OF_START);
    if (stepMs !== undefined) await play('rest ', others, stepMs, messagesOfRest(targets));
    const { now, peak } = await hnotif.memory();
    console.log(
      `  resident ${mb(now)} after it, ${mb(peak)} at most; ${warnings} warnings in the log; load of the machine ${loadavg()[0]?.toFixed(1) ?? '?'}`,
    );
  });
}

/** `BENCH_PLANS=100,1000`: only these sizes. */
export async function scale(node: readonly string[]): Promise<void> {
  const wanted = (process.env.BENCH_PLANS ?? '').split(',').map(Number);
  for (const size of SIZES) if (wanted[0] === 0 || wanted.includes(size.plans)) await measure(size, node);
}
