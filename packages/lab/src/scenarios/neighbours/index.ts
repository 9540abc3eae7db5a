import { availableParallelism, loadavg } from 'node:os';
import type { Scenario } from '../../scenario.ts';
import { besideAll } from './beside.ts';
import { missed, reportOf, summaryOf, type Result, type Row, type Skipped } from './row.ts';
import { ATTACKS } from './rows.ts';

const p99Of = (result: Result | Skipped): number => ('skipped' in result ? 0 : result.figures['beside p99']);

const load = (): string =>
  `load ${loadavg()
    .map((each) => each.toFixed(2))
    .join(' ')}`;

/**
 * Attacks of one team on another through a shared controller. Each row is an attack. Beside it the messages of a healthy team are
 * measured. docs/security.md lists the threats. The result of a row is from its worst round, by the p99 beside the attack.
 */
export const neighbours: Scenario = {
  name: 'neighbours',
  about: 'an attack of one team costs another team of the same controller nothing',
  names: { what: 'ROW', all: Object.fromEntries(ATTACKS.map(({ row, title }) => [row, title])) },
  options: { rounds: { about: 'number of runs of each row (default 1)', valid: /^\d{1,4}$/ } },
  async run({ names, options: { rounds = '1' }, say }) {
    say(`${availableParallelism()} processors, ${load()}, node ${process.version}\n`);
    const worst: (readonly [Row, Result | Skipped])[] = [];
    for (const row of ATTACKS.filter((each) => names.includes(each.row))) {
      const found: (Result | Skipped)[] = [];
      for (let round = 0; round < Math.max(1, Number(rounds)); round++) {
        const result = await besideAll([row], 'full');
        found.push(result);
        say(`${reportOf(row, result)}\n  machine: ${load()}\n`);
      }
      const [first] = found.sort((a, b) => p99Of(b) - p99Of(a));
      if (first !== undefined) worst.push([row, first]);
    }
    say(summaryOf(worst));
    return worst.every(([{ aims }, each]) => 'skipped' in each || missed(each.figures, aims).length === 0);
  },
};
