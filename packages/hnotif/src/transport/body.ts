/** At most this many bytes of a body are read: error texts are short, and an endless stream must not fill the memory. */
const BODY_LIMIT = 64 * 1024;
const NONE = Buffer.alloc(0);

/**
 * The beginning of a body. Chunks are copied, because each is a slice of a larger buffer: a receiver that wraps single bytes in much
 * overhead would keep all of those buffers in memory.
 */
export class Body {
  #bytes = NONE;
  #size = 0;

  /** Adds as much of the chunk as there is room for. False: the chunk did not fit. */
  add(chunk: Buffer): boolean {
    const part = chunk.subarray(0, BODY_LIMIT - this.#size);
    const size = this.#size + part.length;
    if (size > this.#bytes.length) {
      const room = Buffer.alloc(Math.min(BODY_LIMIT, Math.max(size, 2 * this.#bytes.length)));
      this.#bytes.copy(room, 0, 0, this.#size);
      this.#bytes = room;
    }
    part.copy(this.#bytes, this.#size);
    this.#size = size;
    return part.length === chunk.length;
  }

  /** Decoded as UTF-8. */
  toString(): string {
    return this.#bytes.toString('utf8', 0, this.#size);
  }
}
