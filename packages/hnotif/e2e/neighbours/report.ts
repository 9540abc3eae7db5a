import { missed, ratioOf } from './aims.ts';
import type { Figures, Row, Skipped } from './row.ts';

/** What one run of a row says. */
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
  const { alone, beside } = latency;
  const missing = beside.missing === 0 ? '' : `, ${beside.missing} not delivered`;
  return [
    `  alone       p50 ${ms(alone.p50)}  p99 ${ms(alone.p99)}  (${alone.count} messages)`,
    `  beside      p50 ${ms(beside.p50)}  p99 ${ms(beside.p99)}  (${beside.count} messages${missing}; this process stalled for ${ms(harnessStallMs)} at most)`,
    `  ratio       ${ratioOf(latency).toFixed(1)} of p99`,
  ];
}

function faredLines({ fared }: Figures): string[] {
  if (fared === undefined) return [];
  const { exits, exitedFor, leaseLost, stallMs, memoryMb } = fared;
  return [
    `  controller  loop stalled for ${ms(stallMs)} at most, ${memoryMb.toFixed(0)} MB resident at most`,
    `              ${exits} exits${exits === 0 ? '' : ` (${exitedFor})`}, Lease ${leaseLost ? 'LOST' : 'kept'}`,
  ];
}

/** All rows in a few words each, the worst round of each. */
export function summaryOf(rounds: readonly (readonly [Row, Figures | Skipped])[]): string {
  const header = [
    'row',
    'alone p50',
    'p99',
    'beside p50',
    'p99',
    'ratio',
    'stall',
    'memory',
    'exits',
    'Lease',
    'leaked',
    'aim',
  ];
  const lines = rounds.map(([{ row, aims }, figures]) => {
    if ('skipped' in figures) return [row, ...Array<string>(10).fill('-'), 'skipped'];
    const { latency, fared, leaked } = figures;
    const times =
      latency === undefined
        ? Array<string>(5).fill('-')
        : [
            ...[latency.alone.p50, latency.alone.p99, latency.beside.p50, latency.beside.p99].map(ms),
            ratioOf(latency).toFixed(1),
          ];
    const process =
      fared === undefined
        ? Array<string>(4).fill('-')
        : [
            ms(fared.stallMs),
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
