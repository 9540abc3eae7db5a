/**
 * Attacks of one team on another through a shared controller. Each row is an attack. Beside it the messages of a healthy team are
 * measured. docs/security.md lists the threats.
 *
 *     npm run neighbours -- [ROW…] [--rounds N]     # all rows once: some seven minutes
 *
 * Ends with 1 when an aim is missed. The result of a row is from its worst round, by the p99 beside the attack.
 */
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { missed } from './aims.ts';
import { reportOf, summaryOf } from './report.ts';
import type { Figures, Row, Skipped } from './row.ts';
import { ROWS } from './rows.ts';

const USAGE = `usage: npm run neighbours -- [ROW…] [--rounds N]
  ROW       ${ROWS.map(({ row }) => row).join(', ')} (default: all)
  --rounds  number of runs of each row (default 1)`;

function argumentsOf(): { rows: readonly Row[]; rounds: number } | undefined {
  try {
    const { values, positionals } = parseArgs({
      options: { rounds: { type: 'string', default: '1' }, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    if (values.help === true) {
      console.log(USAGE);
      process.exit(0);
    }
    const isGood = positionals.every((name) => ROWS.some(({ row }) => row === name));
    if (!isGood || !/^[1-9]\d{0,3}$/.test(values.rounds)) return undefined;
    const rows = ROWS.filter(({ row }) => positionals.length === 0 || positionals.includes(row));
    return { rows, rounds: Number(values.rounds) };
  } catch {
    return undefined;
  }
}

const p99Of = (figures: Figures | Skipped): number =>
  'skipped' in figures ? 0 : (figures.latency?.beside.p99 ?? 0);

const given = argumentsOf();
if (given === undefined) {
  console.error(USAGE);
  process.exit(2);
}
// After `exit` the processes of a row end, too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const load = (): string =>
  `load ${loadavg()
    .map((each) => each.toFixed(2))
    .join(' ')}`;
console.log(`${availableParallelism()} processors, ${load()}, node ${process.version}\n`);
const worst: (readonly [Row, Figures | Skipped])[] = [];
for (const row of given.rows) {
  const rounds: (Figures | Skipped)[] = [];
  for (let round = 0; round < given.rounds; round++) {
    const figures = await row.run('full');
    rounds.push(figures);
    console.log(`${reportOf(row, figures)}\n  machine     ${load()}\n`);
  }
  const [found] = rounds.sort((a, b) => p99Of(b) - p99Of(a));
  if (found !== undefined) worst.push([row, found]);
}
console.log(summaryOf(worst));
const isMet = worst.every(
  ([{ aims }, figures]) => 'skipped' in figures || missed(figures, aims).length === 0,
);
process.exitCode = isMet ? 0 : 1;
