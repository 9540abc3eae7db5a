/** Estimates the number of instructions of a pattern while it is read. */
export class Size {
  readonly #outer: { readonly sum: number; readonly from: number }[] = [];
  #sum = 0;
  #last = 0;
  #from = 0;

  /** Adds an atom, which can be repeated. `from` is its offset in the source. */
  atom(from: number, size: number): void {
    this.#sum += this.#last;
    this.#last = size;
    this.#from = from;
  }

  open(from: number): void {
    this.#outer.push({ sum: this.#sum + this.#last, from });
    this.#sum = this.#last = 0;
  }

  close(): void {
    const outer = this.#outer.pop();
    this.#last += this.#sum + 2;
    this.#sum = outer?.sum ?? 0;
    this.#from = outer?.from ?? 0;
  }

  /** Repeats the last atom. `at` is the end of the quantifier. In total, no character is repeated more than 1000 times. */
  repeat(at: number, min: number, max: number): void {
    this.#last = Math.min((this.#last + 2) * Math.max(1, min, max), 3000 * (at - this.#from));
  }

  total(): number {
    return this.#outer.reduce((total, { sum }) => total + sum, this.#sum + this.#last);
  }
}
