import { loadavg } from 'node:os';
import { median, table } from '../../figures.ts';

/** The results of one measurement, by what they are. The unit is in the name. */
export type Figures = Readonly<Record<string, number>>;

/** Takes the figures of one measurement of a variant, such as a kind of sink or a number of plans. */
export type Note = (variant: string, figures: Figures) => void;

export interface Bench {
  readonly question: string;
  /** The most that figures should be. A missed aim is not a failure, because machines differ. */
  readonly aims?: Figures;
  /** `node`: more flags of Node for the measured process. */
  readonly measure: (note: Note, node: readonly string[]) => Promise<void>;
}

/** `BENCH_ROUNDS=9`: so many rounds, not the usual number. */
export const roundsOf = (usual: number): number => Number(process.env.BENCH_ROUNDS ?? usual);

const shown = (value: number): string =>
  Number.isNaN(value)
    ? '-'
    : value >= 100 || Number.isInteger(value)
      ? value.toFixed(0)
      : value.toPrecision(3);

/** Runs a benchmark. Prints each measurement, and then a table of medians: a line for each figure, a column for each variant. */
export async function measured({ aims = {}, measure }: Bench, node: readonly string[]): Promise<void> {
  const all = new Map<string, Figures[]>();
  await measure((variant, figures) => {
    const [load = NaN] = loadavg();
    const noted = { ...figures, 'load of the machine': load };
    all.set(variant, [...(all.get(variant) ?? []), noted]);
    const words = Object.entries(noted).map(([name, value]) => `${name} ${shown(value)}`);
    console.log(`  ${variant}: ${words.join('; ')}`);
  }, node);
  const names = new Set([...all.values()].flat().flatMap(Object.keys));
  const of = (variant: string, name: string): number =>
    median((all.get(variant) ?? []).flatMap((figures) => figures[name] ?? []));
  const rounds = Math.max(0, ...[...all.values()].map(({ length }) => length));
  const rows = [...names].map((name) => [
    name,
    ...[...all.keys()].map((variant) => shown(of(variant, name))),
  ]);
  console.log(table([[`medians of ${rounds}; Node ${process.versions.node}`, ...all.keys()], ...rows]));
  for (const [name, most] of Object.entries(aims))
    for (const variant of all.keys()) {
      const value = of(variant, name);
      if (!Number.isNaN(value))
        console.log(`  aim ${name}, at most ${most}: ${value <= most ? 'met' : 'MISSED'} (${variant})`);
    }
}
