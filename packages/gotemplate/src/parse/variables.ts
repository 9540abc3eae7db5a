/** The variables in scope while a definition is parsed. */
export class Variables {
  readonly #names = ['$'];
  /** The count of each name in {@link #names}: an inner variable can have the name of an outer one. */
  readonly #counts = new Map([['$', 1]]);

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }

  declare(name: string): void {
    this.#names.push(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Returns a mark for {@link leave}. */
  enter(): number {
    return this.#names.length;
  }

  /** Removes the variables declared since the mark. */
  leave(mark: number): void {
    for (const name of this.#names.splice(mark)) this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1);
  }
}
