import { quantile, table } from '../../figures.ts';

/** The size of a row: `full` as in its title, `short` for the tests. */
export type Size = 'full' | 'short';

/**
 * The figures of a row, and the most that each may be; Infinity: it is no aim. Latencies are those of the victim's messages, from the write
 * of a status to the arrival (milliseconds). A message that does not arrive counts with the time that it has waited.
 */
export const AIMS = {
  ...{ 'alone p50': Infinity, 'alone p99': Infinity, 'beside p50': Infinity, 'beside p99': Infinity },
  /** The time of a write of a status beside the attack: how busy the control plane is. It is not part of the latencies. */
  'write p99': Infinity,
  /**
   * The p99 beside the attack, as a multiple of the p99 alone. An attack can also keep the control plane and the processors busy. hnotif
   * writes each message into a journal: the time of a write beside the same attack is added to that alone.
   */
  ratio: 2,
  'not arrived': 0,
  /** The longest stall of hnotif's event loop. */
  'stall (ms)': Infinity,
  ...{ 'memory (MiB)': 400, exits: 0, 'Leases lost': 0 },
  /** Bytes of another tenant that the attacker has got. */
  'leaked bytes': 0,
};

export type Figures = Readonly<Record<keyof typeof AIMS, number>>;

/** The latencies of a series of messages (milliseconds): of those that arrived, of those that wait, and of the writes of statuses. */
export type Latencies = Readonly<Record<'arrived' | 'waiting' | 'writes', readonly number[]>>;

export function latencyFigures(
  alone: Latencies,
  beside: Latencies,
): Omit<Figures, 'stall (ms)' | 'memory (MiB)' | 'exits' | 'Leases lost' | 'leaked bytes'> {
  const at = ({ arrived, waiting }: Latencies, part: number): number =>
    quantile([...arrived, ...waiting], part);
  const written = quantile(beside.writes, 0.99);
  return {
    ...{ 'alone p50': at(alone, 0.5), 'alone p99': at(alone, 0.99) },
    ...{ 'beside p50': at(beside, 0.5), 'beside p99': at(beside, 0.99), 'write p99': written },
    ratio: at(beside, 0.99) / (at(alone, 0.99) + written),
    'not arrived': beside.waiting.length,
  };
}

/** The results of a row, and what else is to say: conditions, the reason of an exit, that the attack was refused. */
export interface Result {
  readonly figures: Figures;
  readonly words: readonly string[];
}

/** A row that cannot run here, and why. */
export interface Skipped {
  readonly skipped: string;
}

/** A row of the table: one attack. */
export interface Row {
  readonly row: string;
  readonly title: string;
  /** Its own limits. */
  readonly aims?: Partial<Figures>;
}

const NAMES = Object.keys(AIMS) as readonly (keyof Figures)[];

/** The aims that a row misses; empty: it meets all of them. */
export const missed = (figures: Figures, aims: Row['aims'] = {}): string[] =>
  NAMES.map((name) => [name, aims[name] ?? AIMS[name]] as const)
    .filter(([name, most]) => !(figures[name] <= most) && most < Infinity)
    .map(([name, most]) => `${name} above ${most}`);

type Round = readonly [Row, Result | Skipped];

/** One line for each row, of its worst round. */
export const summaryOf = (rounds: readonly Round[]): string =>
  table([
    ['row', ...NAMES, 'aims'],
    ...rounds.map(([{ row, aims }, result]) => {
      if ('skipped' in result) return [row, ...NAMES.map(() => '-'), 'skipped'];
      const misses = missed(result.figures, aims);
      const cells = NAMES.map((name) => String(Number(result.figures[name].toFixed(1))));
      return [row, ...cells, misses.length === 0 ? 'met' : `MISSED: ${misses.join('; ')}`];
    }),
  ]);

/** The report of one run of a row. */
export const reportOf = (row: Row, result: Result | Skipped): string =>
  [
    `row ${row.row}: ${row.title}`,
    ...('skipped' in result
      ? [`  skipped: ${result.skipped}`]
      : [summaryOf([[row, result]]), ...result.words.map((each) => `  ${each}`)]),
  ].join('\n');
