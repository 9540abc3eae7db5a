/**
 * Ten thousand plans and as many notifications: how soon `hnotif run` is ready, what memory it has then, what of it each plan
 * keeps, and what it costs to follow a change of a label, whose time must not grow with the number of notifications.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { aim, median, quantile } from './figures.ts';
import { filledCluster } from './scale/cluster.ts';
import { keptPerPlan } from './scale/kept.ts';
import type { Scale } from './scale/objects.ts';
import { startHnotif } from './scale/process.ts';
import { routingCost } from './scale/routing.ts';

/** Plans without a history, unless said otherwise: hnotif is met by them on its first day in a cluster. */
const FULL: Scale = { plans: 10_000, notifications: 10_000, namespaces: 100, cycles: 0 };
const AIMED: Scale = { ...FULL, notifications: 1_000 };
const AIM_BYTES = 150e6;
/** An operator keeps the last five cycles. */
const HISTORY = 5;
/** What is looked at again when the first hurry is over. */
const SETTLE_MS = 5_000;

const mb = (bytes: number | undefined): string =>
  bytes === undefined ? '?' : `${(bytes / 1e6).toFixed(0)} MB`;
const describe = ({ plans, notifications, namespaces, cycles }: Scale): string =>
  `${plans} plans${cycles > 0 ? ` with ${cycles} cycles` : ''} × ${notifications} notifications, ${namespaces} namespace${namespaces === 1 ? '' : 's'}`;

/** One start of the service; resolves with its memory when it has settled, and what of its heap is in use then. */
async function start(scale: Scale): Promise<{ readonly resident: number; readonly heap: number }> {
  const cluster = await filledCluster(scale);
  const listMs = await cluster.listMs();
  const hnotif = await startHnotif(cluster.kubeconfig);
  const ready = await hnotif.memory();
  await sleep(SETTLE_MS);
  const settled = await hnotif.memory();
  const statuses = cluster.statuses();
  const collected = await hnotif.collected();
  await hnotif.stop();
  await cluster.close();
  console.log(
    `${describe(scale)} (${(cluster.planBytes / 1000).toFixed(1)} kB each)\n` +
      `  ready after ${(hnotif.readyMs / 1000).toFixed(2)} s; a bare client lists the plans in ${(listMs / 1000).toFixed(2)} s\n` +
      `  resident: ${mb(ready.now)} when ready, ${mb(settled.now)} after ${SETTLE_MS / 1000} s, ${mb(settled.peak)} at most; ` +
      `collected: ${mb(collected.now)}, heap ${mb(collected.heapUsed)} of ${mb(collected.heapTotal)}\n` +
      `  after ${SETTLE_MS / 1000} s: ${statuses.written} of ${scale.notifications} statuses written, the rest follow; ${statuses.ready} say Ready=True`,
  );
  return { resident: settled.now, heap: collected.heapUsed };
}

function kept(cycles: number): void {
  const { parsed, observed, routed } = keptPerPlan({ ...FULL, cycles });
  const sum = parsed + observed + routed;
  console.log(
    `a plan with ${cycles} cycles keeps ${sum.toFixed(0)} bytes of heap: ` +
      `${parsed.toFixed(0)} parsed, ${observed.toFixed(0)} observed, ${routed.toFixed(0)} routed`,
  );
}

function routing(): void {
  const medians = new Map<string, number>();
  for (const label of ['app', 'environment'] as const)
    for (const scale of [FULL, { ...AIMED, namespaces: 1 }, { ...FULL, namespaces: 1 }]) {
      const { change, lookUp, matches } = routingCost(scale, label);
      medians.set(`${label} ${scale.namespaces} ${scale.notifications}`, median(change) + median(lookUp));
      const [p50, p99] = [median(change), quantile(change, 0.99)];
      console.log(
        `label ${label.padEnd(11)} ${describe(scale)}: ` +
          `change p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} µs, ` +
          `look-up p50 ${median(lookUp).toFixed(1)} p99 ${quantile(lookUp, 0.99).toFixed(1)} µs, ` +
          `${matches.toFixed(1)} matches (${aim('p99 < 1 ms', p99 < 1000)})`,
      );
    }
  for (const label of ['app', 'environment']) {
    const of = (notifications: number): number => medians.get(`${label} 1 ${notifications}`) ?? NaN;
    const ratio = of(FULL.notifications) / of(AIMED.notifications);
    console.log(
      `label ${label.padEnd(11)} ten times as many notifications, as many matches: ${ratio.toFixed(2)} times as long (${aim('< 2', ratio < 2)})`,
    );
  }
}

routing();
kept(0);
kept(HISTORY);
const empty = await start({ ...AIMED, plans: 0 });
const aimed = await start(AIMED);
console.log(
  `  in all: heap in use ${mb(aimed.heap)} (${aim('under 150 MB', aimed.heap < AIM_BYTES)}), ` +
    `resident ${mb(aimed.resident)} (${aim('under 150 MB', aimed.resident < AIM_BYTES)}); ` +
    `more than without plans, for each: heap ${((aimed.heap - empty.heap) / AIMED.plans).toFixed(0)}, resident ${((aimed.resident - empty.resident) / AIMED.plans).toFixed(0)} bytes`,
);
await start({ ...AIMED, cycles: HISTORY });
await start(FULL);
await start({ ...FULL, namespaces: 1 });
