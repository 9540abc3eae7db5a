/**
 * What shards by Lease would bring a cluster whose plans all begin at 20:00: a simulation over namespaces, with the costs that `ceiling`
 * has measured (docs/scaling.md). It runs nothing.
 */
import { simulate, spreadOver, type Costs } from './scale/shards.ts';

/** Of 50,000 plans. `writes`: the operator's status, and 0.16 of a journal. */
const COSTS: Omit<Costs, 'writesPerSecond'> = {
  cpuMs: 0.92,
  writes: 1.16,
  bytes: 110e6,
  bytesOfPlan: 31_000,
};

/** What an API server with its etcd takes. It was not measured: hnotif's tests have none. */
const WRITES_PER_SECOND = [500, 2_000];

const PLANS = 50_000;
const SPREADS = [
  ['1,000 namespaces of the same size', spreadOver(PLANS, 1_000, 0)],
  ['1,000 namespaces, the nth with 1/n of the first', spreadOver(PLANS, 1_000, 1)],
  ['one namespace', spreadOver(PLANS, 1, 0)],
] as const;

for (const writesPerSecond of WRITES_PER_SECOND)
  for (const [title, plans] of SPREADS) {
    console.log(`${PLANS} plans in ${title}; the API server takes ${writesPerSecond} writes a second`);
    for (const shards of [1, 2, 4, 8]) {
      const forecast = simulate(plans, shards, { ...COSTS, writesPerSecond });
      const [inFullest, inAll] = [forecast.bytes, forecast.bytesOfAll].map((bytes) =>
        (bytes / 1e6).toFixed(0),
      );
      console.log(
        `  ${shards} shard${shards === 1 ? ' ' : 's'}: ${String(forecast.plans).padStart(5)} plans in the fullest; ` +
          `last message after ${forecast.seconds.toFixed(0).padStart(3)} s (${forecast.limit}); ${inFullest} MB in it, ${inAll} MB in all`,
      );
    }
  }
