/** Characters that are worth putting away. */
export const CHUNK = 8192;

/**
 * What was written, put away in chunks. Strings that are put together piece by piece keep their pieces, which take many times
 * the room of the text as long as nobody reads it.
 */
export class Output {
  readonly #chunks: string[] = [];
  #length = 0;
  /** The UTF-16 unit that was put away last. */
  last = 0;

  get length(): number {
    return this.#length;
  }

  take(text: string): void {
    // Reading one unit makes the JavaScript engine put the pieces together; it is kept, so that nobody optimizes that away.
    this.last = text.charCodeAt(text.length - 1);
    this.#chunks.push(text);
    this.#length += text.length;
  }

  /** Everything, with what was not put away. */
  all(rest: string): string {
    return this.#chunks.length === 0 ? rest : this.#chunks.join('') + rest;
  }
}
