/**
 * The needs of one process, by the number of plans: the memory after the start, the processor time and the journal writes of a night, and
 * the latency of the Starts of all plans within two seconds. As in `burst`, with hnotif's default flags. The control plane and the
 * receiver share the machine: processor time can be transferred to another machine, latency cannot.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { STEPS } from './burst/night.ts';
import { MESSAGES_OF_START, messagesOfRest } from './burst/objects.ts';
import { part, type Part } from './burst/part.ts';
import { onStage } from './burst/stage.ts';
import { quantile } from './figures.ts';

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

const mb = (bytes: number | undefined): string => `${((bytes ?? NaN) / 1e6).toFixed(0)} MB`;
const journalWrites = ({ counts }: Part): number =>
  [...counts]
    .filter(([what]) => /^(create|patch|update) hibernatenotificationjournals/.test(what))
    .reduce((sum, [, count]) => sum + count, 0);
const requests = ({ counts }: Part): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

function show(name: string, plans: number, messages: number, measured: Part): void {
  const { hnotifMs, clusterMs, took } = measured;
  const at = (quantity: number): string => (quantile([...took], quantity) / 1000).toFixed(1);
  console.log(
    `  ${name}: ${messages} messages; CPU ${(hnotifMs / 1000).toFixed(1)} s, ${(hnotifMs / plans).toFixed(2)} ms a plan, ${(hnotifMs / messages).toFixed(2)} ms a message; ` +
      `control plane ${(clusterMs / 1000).toFixed(1)} s; ${journalWrites(measured)} journal writes of ${requests(measured)} requests; ` +
      `arrived p50 ${at(0.5)} p99 ${at(0.99)} last ${at(1)} s`,
  );
}

async function measure({ plans, stepMs, targets, cycles }: Size): Promise<void> {
  const namespaces = Math.ceil(plans / PLANS_OF_NAMESPACE);
  const scale = { plans, namespaces, cycles, targets };
  let warnings = 0;
  await onStage(scale, { pauseMs: PAUSE_MS, troubled: () => warnings++ }, async (stage) => {
    const { hnotif } = stage;
    await sleep(SETTLE_MS);
    const idle = await hnotif.memory();
    console.log(
      `${plans} plans of ${targets} targets and ${cycles} cycles in ${namespaces} namespaces: ready after ${(hnotif.readyMs / 1000).toFixed(1)} s; resident ${mb(idle.now)} idle`,
    );
    const [start, ...others] = STEPS;
    const ofStart = plans * MESSAGES_OF_START;
    show('Start', plans, ofStart, await part(stage, 0, [start], START_MS, ofStart, PAUSE_MS));
    if (stepMs !== undefined) {
      const ofRest = plans * messagesOfRest(targets);
      show('rest ', plans, ofRest, await part(stage, 0, others, stepMs, ofRest, PAUSE_MS));
    }
    const { now, peak } = await hnotif.memory();
    console.log(
      `  resident ${mb(now)} after it, ${mb(peak)} at most; ${warnings} warnings in the log; load of the machine ${loadavg()[0]?.toFixed(1) ?? '?'}`,
    );
  });
}

const wanted = (process.env.BENCH_PLANS ?? '').split(',').map(Number);
for (const size of SIZES) if (wanted[0] === 0 || wanted.includes(size.plans)) await measure(size);
