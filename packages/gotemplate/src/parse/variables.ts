/** The variables in scope while a definition is parsed. */
export class Variables {
  readonly #names = ['$'];
  /** How often a name is in {@link #names}, since an inner variable may have an outer's name. */
  readonly #counts = new Map([['$', 1]]);

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }

  declare(name: string): void {
    this.#names.push(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** The scope as it is now, for {@link leave}. */
  enter(): number {
    return this.#names.length;
  }

  /** Forgets what was declared since `enter` gave this. */
  leave(mark: number): void {
    for (const name of this.#names.splice(mark)) this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1);
  }
}
