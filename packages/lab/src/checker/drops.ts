import type { Drop, PlanHistory } from '../record.ts';

/** A report of dropped deliveries. Each of them explains one missing message, of an event from before the report. */
export interface Report {
  readonly at: number;
  readonly count: number;
}

type Plan = Pick<PlanHistory, 'name' | 'namespace'>;

/**
 * The place of the report that explains a missing message of an event; undefined: none does. Of several, the one that was told first: the
 * others may explain later events.
 *
 * @param from when the state of the event was written, at the earliest
 */
export function reportFor(reports: readonly Report[], from: number): number | undefined {
  const found = reports.filter(({ at, count }) => count > 0 && from <= at).sort((a, b) => a.at - b.at)[0];
  return found && reports.indexOf(found);
}

/** The reports after one of them has explained a missing message. */
const withoutOne = (reports: readonly Report[], place: number): readonly Report[] =>
  reports.map((report, index) => (index === place ? { ...report, count: report.count - 1 } : report));

/**
 * Each reported drop explains one missing message, once. Journals tell the drops of each stream. A line of the log adds up those of a sink,
 * also those that are in no journal: an entry has room for twenty lines.
 */
export class Drops {
  readonly #left = new Map<string, readonly Report[]>();

  constructor(drops: readonly Drop[]) {
    const add = (key: string, { at, count }: Drop): void => {
      this.#left.set(key, [...(this.#left.get(key) ?? []), { at, count }]);
    };
    for (const drop of drops)
      add(drop.plan === '' ? `${drop.sink} in ${drop.namespace}` : `${drop.sink} ${drop.plan}`, drop);
    for (const { plan, sink, namespace, count, at } of drops)
      for (let told = 0; plan !== '' && told < count; told++) this.#take(`${sink} in ${namespace}`, at);
  }

  /** What may explain missing messages of this stream. */
  of(sink: string, plan: Plan): readonly Report[] {
    return keysOf(sink, plan).flatMap((key) => this.#left.get(key) ?? []);
  }

  /** Whether a missing message is explained. */
  take(sink: string, plan: Plan, from: number): boolean {
    return keysOf(sink, plan).some((key) => this.#take(key, from));
  }

  #take(key: string, from: number): boolean {
    const reports = this.#left.get(key) ?? [];
    const place = reportFor(reports, from);
    if (place !== undefined) this.#left.set(key, withoutOne(reports, place));
    return place !== undefined;
  }
}

const keysOf = (sink: string, { name, namespace = '' }: Plan): readonly string[] => [
  `${sink} ${name}`,
  `${sink} in ${namespace}`,
];
