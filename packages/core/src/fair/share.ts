/**
 * A bounded resource that namespaces share: how much of it each one holds.
 *
 * An owner may take more while it holds less than is free (the dynamic threshold of Choudhury and Hahne, 1998). One owner alone gets half
 * of the resource, two busy owners get a third each, n get 1/(n+1). So there is always room for the next owner, without a list of owners
 * and without taking anything back.
 */
export class Share {
  readonly limit: number;
  readonly #held = new Map<string, number>();
  #total = 0;

  /** `limit`: in the unit of the resource: requests, bytes. */
  constructor(limit: number) {
    this.limit = limit;
  }

  get total(): number {
    return this.#total;
  }

  held(owner: string): number {
    return this.#held.get(owner) ?? 0;
  }

  /** Whether `owner` may take `amount` more. An owner that holds nothing may take all that is free. */
  admits(owner: string, amount = 1): boolean {
    const free = this.limit - this.#total;
    const held = this.held(owner);
    return amount <= free && (held === 0 || held + amount <= free);
  }

  /** Takes without checking `admits`. */
  take(owner: string, amount = 1): void {
    this.#held.set(owner, this.held(owner) + amount);
    this.#total += amount;
  }

  give(owner: string, amount = 1): void {
    const left = this.held(owner) - amount;
    this.#total -= amount;
    if (left > 0) this.#held.set(owner, left);
    else this.#held.delete(owner);
  }
}
