/** Of a body no more is read: an error text is short, and a stream without end must not fill the memory. */
const BODY_LIMIT = 64 * 1024;
const NONE = Buffer.alloc(0);

/**
 * The beginning of an answer's body. Chunks are copied: each is a slice of all that was read with it, and a receiver
 * that wraps single bytes in much that is skipped would have hnotif keep everything it sends.
 */
export class Body {
  #bytes = NONE;
  #size = 0;

  /** Takes what there is room for. False: that was not all. */
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
