import type { Drop, PlanHistory } from '../record.ts';

/** The drops of a stream that hnotif has reported. */
export interface Reported {
  readonly count: number;
  /** When the last one was reported. Later events were not dropped. */
  readonly until: number;
}

const NONE: Reported = { count: 0, until: -Infinity };

type Plan = Pick<PlanHistory, 'name' | 'namespace'>;

/**
 * Each reported drop explains one missing message, once. Journals tell the drops of each stream. A line of the log adds up those of a sink,
 * also those that are in no journal: an entry has room for twenty lines.
 */
export class Drops {
  readonly #left = new Map<string, Reported>();

  constructor(drops: readonly Drop[]) {
    const inJournals = drops.filter(({ plan }) => plan !== '');
    for (const { plan, ...drop } of inJournals) this.#add(`${drop.sink} ${plan}`, drop);
    for (const drop of drops) if (drop.plan === '') this.#add(`${drop.sink} in ${drop.namespace}`, drop);
    for (const { sink, namespace, count } of inJournals) this.#take(`${sink} in ${namespace}`, count);
  }

  /** What may explain missing messages of this stream. */
  of(sink: string, plan: Plan): Reported {
    const [own, others] = keysOf(sink, plan).map((key) => this.#left.get(key) ?? NONE);
    if (own === undefined || others === undefined) return NONE;
    if (others.count === 0) return own;
    return { count: own.count + others.count, until: Math.max(own.until, others.until) };
  }

  /** How many of these missing messages are explained. */
  take(sink: string, plan: Plan, missing: number): number {
    return keysOf(sink, plan).reduce((taken, key) => taken + this.#take(key, missing - taken), 0);
  }

  #add(key: string, { count, at }: Pick<Drop, 'count' | 'at'>): void {
    const before = this.#left.get(key) ?? NONE;
    this.#left.set(key, { count: before.count + count, until: Math.max(before.until, at) });
  }

  #take(key: string, wanted: number): number {
    const left = this.#left.get(key) ?? NONE;
    const taken = Math.min(left.count, wanted);
    this.#left.set(key, { ...left, count: left.count - taken });
    return taken;
  }
}

const keysOf = (sink: string, { name, namespace = '' }: Plan): readonly string[] => [
  `${sink} ${name}`,
  `${sink} in ${namespace}`,
];
