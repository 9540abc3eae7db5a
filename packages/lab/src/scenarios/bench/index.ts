import type { Scenario } from '../../scenario.ts';
import { boards } from './boards.ts';
import { cost } from './cost.ts';
import { burst, scale } from './nights.ts';
import { page } from './page.ts';
import { measured, type Bench } from './sheet.ts';
import { throughput } from './throughput.ts';

/** `neighbours` measures the cost of attacks on neighbours. */
const BENCHES: Readonly<Record<string, Bench>> = { throughput, burst, boards, scale, cost, page };

export const bench: Scenario = {
  name: 'bench',
  about: 'measures what hnotif costs; each benchmark prints its figures, and whether they meet its aims',
  names: {
    what: 'NAME',
    all: Object.fromEntries(Object.entries(BENCHES).map(([name, { question }]) => [name, question])),
  },
  options: { node: { about: 'a flag of Node for the measured process, such as --node=--cpu-prof' } },
  async run({ names, options: { node } }) {
    for (const [name, each] of Object.entries(BENCHES)) {
      if (!names.includes(name)) continue;
      console.log(`# ${name}`);
      await measured(each, node === undefined ? [] : [node]);
    }
    return true;
  },
};
