import { availableParallelism, loadavg } from 'node:os';
import type { Scenario } from '../../scenario.ts';
import { reportOf, summaryOf } from './report.ts';
import { missed, type Figures, type Row, type Skipped } from './row.ts';
import { ATTACKS } from './rows.ts';
import { besideAll } from './beside.ts';

const p99Of = (figures: Figures | Skipped): number => ('skipped' in figures ? 0 : figures.latency.beside.p99);

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
    const worst: (readonly [Row, Figures | Skipped])[] = [];
    for (const row of ATTACKS.filter((each) => names.includes(each.row))) {
      const found: (Figures | Skipped)[] = [];
      for (let round = 0; round < Math.max(1, Number(rounds)); round++) {
        const figures = await besideAll([row], 'full');
        found.push(figures);
        say(`${reportOf(row, figures)}\n  machine     ${load()}\n`);
      }
      const [first] = found.sort((a, b) => p99Of(b) - p99Of(a));
      if (first !== undefined) worst.push([row, first]);
    }
    say(summaryOf(worst));
    return worst.every(([{ aims }, figures]) => 'skipped' in figures || missed(figures, aims).length === 0);
  },
};
