import { missed, ratioOf, stallOf } from './aims.ts';
import type { Latency } from './latency.ts';
import type { Figures, Row, Skipped } from './row.ts';

/** The report of one run of a row. */
export function reportOf({ row, title, aims }: Row, figures: Figures | Skipped): string {
  const head = `row ${row}: ${title}`;
  if ('skipped' in figures) return `${head}\n  skipped: ${figures.skipped}`;
  const misses = missed(figures, aims);
  const lines = [
    ...latencyLines(figures),
    ...faredLines(figures),
    `  leaked      ${figures.leaked} bytes of another tenant`,
    ...(figures.conditions === undefined
      ? []
      : [`  victim      ${figures.conditions.victim}`, `  attacker    ${figures.conditions.attacker}`]),
    ...figures.notes.map((note) => `  note        ${note}`),
    `  aim         ${misses.length === 0 ? 'met' : `MISSED: ${misses.join('; ')}`}`,
  ];
  return [head, ...lines].join('\n');
}

function latencyLines({ latency, harnessStallMs }: Figures): string[] {
  if (latency === undefined) return [];
  const { alone, beside, bare } = latency;
  return [
    lineOf('alone', alone),
    lineOf('beside', beside),
    lineOf('bare client', bare),
    `              longest stall of this process: ${ms(harnessStallMs)}`,
    `  ratio       ${ratioOf(latency).toFixed(1)} of p99 (beside/alone: ${(beside.p99 / alone.p99).toFixed(1)})`,
  ];
}

function lineOf(name: string, { p50, p99, count, missing, writeP99 }: Latency): string {
  const gone = missing === 0 ? '' : `, ${missing} not delivered`;
  return `  ${name.padEnd(12)}p50 ${ms(p50)}  p99 ${ms(p99)}  (${count} messages${gone}; p99 of the status writes ${ms(writeP99)})`;
}

function faredLines(figures: Figures): string[] {
  const { fared } = figures;
  if (fared === undefined) return [];
  const { exits, exitedFor, leaseLost, memoryMb } = fared;
  return [
    `  controller  longest stall of the event loop ${ms(stallOf(figures))}, most resident memory ${memoryMb.toFixed(0)} MB`,
    `              ${exits} exits${exits === 0 ? '' : ` (${exitedFor})`}, Lease ${leaseLost ? 'LOST' : 'kept'}`,
  ];
}

/** A summary: one line for each row, of its worst round. */
export function summaryOf(rounds: readonly (readonly [Row, Figures | Skipped])[]): string {
  const header = [
    'row',
    'alone p50',
    'p99',
    'beside p50',
    'p99',
    'bare p99',
    'ratio',
    'stall',
    'memory',
    'exits',
    'Lease',
    'leaked',
    'aim',
  ];
  const lines = rounds.map(([{ row, aims }, figures]) => {
    if ('skipped' in figures) return [row, ...Array<string>(11).fill('-'), 'skipped'];
    const { latency, fared, leaked } = figures;
    const times =
      latency === undefined
        ? Array<string>(6).fill('-')
        : [
            ...[latency.alone.p50, latency.alone.p99, latency.beside.p50, latency.beside.p99].map(ms),
            ms(latency.bare.p99),
            ratioOf(latency).toFixed(1),
          ];
    const process =
      fared === undefined
        ? Array<string>(4).fill('-')
        : [
            ms(stallOf(figures)),
            `${fared.memoryMb.toFixed(0)} MB`,
            String(fared.exits),
            fared.leaseLost ? 'LOST' : 'kept',
          ];
    const misses = missed(figures, aims);
    return [
      row,
      ...times,
      ...process,
      `${leaked} B`,
      misses.length === 0 ? 'met' : `MISSED: ${misses.join('; ')}`,
    ];
  });
  return table([header, ...lines]);
}

function table(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function ms(value: number): string {
  if (Number.isNaN(value)) return '-';
  return value < 1_000 ? `${value.toFixed(0)} ms` : `${(value / 1000).toFixed(1)} s`;
}
