import type { Drop } from '../record.ts';

/** Each reported drop explains one missing message of its sink and plan, once. */
export class Drops {
  readonly #left = new Map<string, number>();

  constructor(drops: readonly Drop[]) {
    for (const { sink, plan, count } of drops)
      this.#left.set(`${sink} ${plan}`, (this.#left.get(`${sink} ${plan}`) ?? 0) + count);
  }

  /** How many of these missing messages are explained. */
  take(sink: string, plan: string, missing: number): number {
    const name = plan.split('#')[0] ?? plan;
    const own = this.#takeFrom(`${sink} ${name}`, missing);
    return own + this.#takeFrom(`${sink} `, missing - own);
  }

  #takeFrom(key: string, wanted: number): number {
    const left = this.#left.get(key) ?? 0;
    const taken = Math.min(left, wanted);
    this.#left.set(key, left - taken);
    return taken;
  }
}
