import { ms, table } from '../../figures.ts';
import { missed, ratioOf, stallOf, type Figures, type Latency, type Row, type Skipped } from './row.ts';

/** The report of one run of a row. */
export function reportOf({ row, title, aims }: Row, figures: Figures | Skipped): string {
  const head = `row ${row}: ${title}`;
  if ('skipped' in figures) return `${head}\n  skipped: ${figures.skipped}`;
  const { latency, fared, leaked, conditions, notes, harnessStallMs } = figures;
  const rows: [name: string, text: string][] = [];
  if (latency !== undefined)
    rows.push(
      ['alone', latencyLine(latency.alone)],
      ['beside', latencyLine(latency.beside)],
      ['bare client', latencyLine(latency.bare)],
      ['', `longest stall of this process: ${ms(harnessStallMs)}`],
      [
        'ratio',
        `${ratioOf(latency).toFixed(1)} of p99 (beside/alone: ${(latency.beside.p99 / latency.alone.p99).toFixed(1)})`,
      ],
    );
  if (fared !== undefined) {
    const { exits, exitedFor, leaseLost, memoryMb } = fared;
    rows.push(
      [
        'controller',
        `longest stall of the event loop ${ms(stallOf(figures))}, most resident memory ${memoryMb.toFixed(0)} MB`,
      ],
      ['', `${exits} exits${exits === 0 ? '' : ` (${exitedFor})`}, Lease ${leaseLost ? 'LOST' : 'kept'}`],
    );
  }
  rows.push(['leaked', `${leaked} bytes of another tenant`]);
  if (conditions !== undefined) rows.push(['victim', conditions.victim], ['attacker', conditions.attacker]);
  rows.push(...notes.map((note): [string, string] => ['note', note]), ['aim', aimOf(figures, aims)]);
  return [head, ...rows.map(([name, text]) => `  ${name.padEnd(12)}${text}`)].join('\n');
}

const aimOf = (figures: Figures, aims: Row['aims']): string => {
  const misses = missed(figures, aims);
  return misses.length === 0 ? 'met' : `MISSED: ${misses.join('; ')}`;
};

function latencyLine({ p50, p99, count, missing, writeP99 }: Latency): string {
  const gone = missing === 0 ? '' : `, ${missing} not delivered`;
  return `p50 ${ms(p50)}  p99 ${ms(p99)}  (${count} messages${gone}; p99 of the status writes ${ms(writeP99)})`;
}

type Column = readonly [name: string, of: (figures: Figures, row: Row) => string | undefined];

const COLUMNS: readonly Column[] = [
  ['row', (_, { row }) => row],
  ['alone p50', ({ latency }) => latency && ms(latency.alone.p50)],
  ['p99', ({ latency }) => latency && ms(latency.alone.p99)],
  ['beside p50', ({ latency }) => latency && ms(latency.beside.p50)],
  ['p99', ({ latency }) => latency && ms(latency.beside.p99)],
  ['bare p99', ({ latency }) => latency && ms(latency.bare.p99)],
  ['ratio', ({ latency }) => latency && ratioOf(latency).toFixed(1)],
  ['stall', (figures) => figures.fared && ms(stallOf(figures))],
  ['memory', ({ fared }) => fared && `${fared.memoryMb.toFixed(0)} MB`],
  ['exits', ({ fared }) => fared && String(fared.exits)],
  ['Lease', ({ fared }) => fared && (fared.leaseLost ? 'LOST' : 'kept')],
  ['leaked', ({ leaked }) => `${leaked} B`],
  ['aim', (figures, { aims }) => aimOf(figures, aims)],
];

/** A summary: one line for each row, of its worst round. */
export const summaryOf = (rounds: readonly (readonly [Row, Figures | Skipped])[]): string =>
  table([
    COLUMNS.map(([name]) => name),
    ...rounds.map(([row, figures]) =>
      'skipped' in figures
        ? [row.row, ...Array<string>(COLUMNS.length - 2).fill('-'), 'skipped']
        : COLUMNS.map(([, of]) => of(figures, row) ?? '-'),
    ),
  ]);
