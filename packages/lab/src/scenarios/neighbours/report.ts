import { ms, table } from '../../figures.ts';
import { missed, ratioOf, type Figures, type Latency, type Row, type Skipped } from './row.ts';

type Round = readonly [Row, Figures | Skipped];

/** The report of one run of a row: its line of the summary, and the words that have no place there. */
export function reportOf(row: Row, figures: Figures | Skipped): string {
  const head = `row ${row.row}: ${row.title}`;
  if ('skipped' in figures) return `${head}\n  skipped: ${figures.skipped}`;
  const { conditions, fared, notes } = figures;
  const words = [
    ...(fared === undefined || fared.exits === 0 ? [] : [`the last exit: ${fared.exitedFor}`]),
    ...(conditions === undefined ? [] : [`victim: ${conditions.victim}`, `attacker: ${conditions.attacker}`]),
    ...notes,
  ];
  return [head, summaryOf([[row, figures]]), ...words.map((each) => `  ${each}`)].join('\n');
}

const aimOf = (figures: Figures, aims: Row['aims']): string => {
  const misses = missed(figures, aims);
  return misses.length === 0 ? 'met' : `MISSED: ${misses.join('; ')}`;
};

const arrivedOf = ({ count, missing }: Latency): string => `${count - missing} of ${count}`;

type Column = readonly [name: string, of: (figures: Figures, row: Row) => string | undefined];

const COLUMNS: readonly Column[] = [
  ['row', (_, { row }) => row],
  ['alone p50', ({ latency }) => latency && ms(latency.alone.p50)],
  ['p99', ({ latency }) => latency && ms(latency.alone.p99)],
  ['beside p50', ({ latency }) => latency && ms(latency.beside.p50)],
  ['p99', ({ latency }) => latency && ms(latency.beside.p99)],
  ['arrived', ({ latency }) => latency && arrivedOf(latency.beside)],
  ['writes p99', ({ latency }) => latency && ms(latency.beside.writeP99)],
  ['ratio', ({ latency }) => latency && ratioOf(latency).toFixed(1)],
  ['stall', ({ fared }) => fared && ms(fared.stallMs)],
  ['memory', ({ fared }) => fared && `${fared.memoryMb.toFixed(0)} MB`],
  ['exits', ({ fared }) => fared && String(fared.exits)],
  ['Lease', ({ fared }) => fared && (fared.leaseLost ? 'LOST' : 'kept')],
  ['leaked', ({ leaked }) => `${leaked} B`],
  ['aim', (figures, { aims }) => aimOf(figures, aims)],
];

/** One line for each row, of its worst round. */
export const summaryOf = (rounds: readonly Round[]): string =>
  table([
    COLUMNS.map(([name]) => name),
    ...rounds.map(([row, figures]) =>
      'skipped' in figures
        ? [row.row, ...Array<string>(COLUMNS.length - 2).fill('-'), 'skipped']
        : COLUMNS.map(([, of]) => of(figures, row) ?? '-'),
    ),
  ]);
