/** The length of a chunk, in characters. */
export const CHUNK = 8192;

/**
 * The output, stored in chunks. A concatenated JavaScript string keeps its pieces until it is read. They take many times
 * the memory of the text.
 */
export class Output {
  readonly #chunks: string[] = [];
  #length = 0;
  /** The last stored UTF-16 unit. */
  last = 0;

  get length(): number {
    return this.#length;
  }

  take(text: string): void {
    // To read one unit, the JavaScript engine flattens the string. Storing the unit prevents that the read is optimized away.
    this.last = text.charCodeAt(text.length - 1);
    this.#chunks.push(text);
    this.#length += text.length;
  }

  /** The whole output, including the `rest` that is not stored. */
  all(rest: string): string {
    return this.#chunks.length === 0 ? rest : this.#chunks.join('') + rest;
  }
}
