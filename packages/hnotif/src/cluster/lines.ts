import { KubeError } from './error.ts';

/** The largest object that is read (bytes). Objects of the API have at most a few MiB. */
export const MAX_BYTES = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * Parses the JSON objects of a watch, one in each line, from chunks. A chunk may end within a character. Throws a `KubeError` for a line
 * that is not JSON or is longer than `maxBytes`.
 */
export class JsonLines {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #size = 0;
  /** Bytes of the last line. */
  #last = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the last object. */
  get lastBytes(): number {
    return this.#last;
  }

  /** The objects that are complete with this chunk. */
  *push(chunk: Uint8Array): Generator<unknown> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      start = end + 1;
      yield* this.#line();
    }
    this.#keep(chunk.subarray(start));
  }

  /** The last object, if the stream ended without a line break. */
  *end(): Generator<unknown> {
    yield* this.#line();
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes)
      throw new KubeError(0, 'TooLarge', `an event of the watch is larger than ${this.#maxBytes} bytes`);
    if (part.length > 0) this.#parts.push(part);
  }

  *#line(): Generator<unknown> {
    const [first] = this.#parts;
    if (first === undefined) return;
    const bytes = this.#parts.length === 1 ? first : Buffer.concat(this.#parts, this.#size);
    this.#parts = [];
    this.#last = this.#size;
    this.#size = 0;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    if (text.trim() === '') return;
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw new KubeError(0, 'NotJson', 'the watch broke off within an event, or sent what is not JSON');
    }
    yield json;
  }
}
