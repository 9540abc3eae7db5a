import type { Drop, PlanHistory } from '../record.ts';

/** A report of dropped deliveries. Each of them explains one missing message, of an event from before the report. */
export interface Report {
  readonly at: number;
  /** How many messages it may still explain. */
  count: number;
}

type Plan = Pick<PlanHistory, 'name' | 'namespace'>;

/**
 * The report that explains a missing message of an event; undefined: none does. Of several, the one that was told first: the others may
 * explain later events.
 *
 * @param from when the state of the event was written, at the earliest
 */
export const reportFor = (reports: readonly Report[], from: number): Report | undefined =>
  reports.filter(({ at, count }) => count > 0 && from <= at).sort((a, b) => a.at - b.at)[0];

/**
 * Each reported drop explains one missing message, once. Journals tell the drops of each stream. A line of the log adds up those of a sink,
 * also those that are in no journal: an entry has room for twenty lines.
 */
export class Drops {
  readonly #left = new Map<string, Report[]>();

  constructor(drops: readonly Drop[]) {
    for (const { plan, sink, namespace, count, at } of drops) {
      const key = plan === '' ? `${sink} in ${namespace}` : `${sink} ${plan}`;
      this.#left.set(key, [...(this.#left.get(key) ?? []), { at, count }]);
    }
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
    const report = reportFor(this.#left.get(key) ?? [], from);
    if (report !== undefined) report.count--;
    return report !== undefined;
  }
}

const keysOf = (sink: string, { name, namespace = '' }: Plan): readonly string[] => [
  `${sink} ${name}`,
  `${sink} in ${namespace}`,
];
