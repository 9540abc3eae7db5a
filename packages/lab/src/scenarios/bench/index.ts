import type { Scenario } from '../../scenario.ts';
import { boards } from './boards.ts';
import { burst, scale } from './nights.ts';
import { cost } from './cost.ts';
import { page } from './page.ts';
import { throughput } from './throughput.ts';

type Bench = readonly [question: string, run: (node: readonly string[]) => Promise<void>];

/** The question of each benchmark. `neighbours` measures the cost of attacks on neighbours. */
const BENCHES: Readonly<Record<string, Bench>> = {
  throughput: [
    'every sink and form of message beside the raw client: messages a second, CPU of each',
    throughput,
  ],
  burst: ['all plans of a cluster begin their night at once: API requests, latency, CPU (3 minutes)', burst],
  boards: ['a night of 1,000 plans: requests of boards beside a message for each event (3 minutes)', boards],
  scale: [
    'memory, CPU and journal writes of 100 to 50,000 plans; how long their Starts take (5 minutes)',
    scale,
  ],
  cost: [
    'memory and CPU, idle and in a night; BENCH_BEFORE=DIR: beside an older build, in turns (40 minutes)',
    cost,
  ],
  page: [
    'the page with 5,000 plans, after nights: first row, memory of browser and server (5 minutes)',
    page,
  ],
};

/** A missed aim is not a failure, because machines differ. */
export const bench: Scenario = {
  name: 'bench',
  about: 'measures what hnotif costs; each benchmark prints its figures, and whether they meet its aims',
  names: {
    what: 'NAME',
    all: Object.fromEntries(Object.entries(BENCHES).map(([name, [question]]) => [name, question])),
  },
  options: { node: { about: 'a flag of Node for the measured process, such as --node=--cpu-prof' } },
  async run({ names, options: { node } }) {
    for (const name of names) {
      console.log(`# ${name}`);
      await BENCHES[name]?.[1](node === undefined ? [] : [node]);
    }
    return true;
  },
};
