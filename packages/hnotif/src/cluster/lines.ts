import { KubeError } from './error.ts';

/** The largest object that is read (bytes). Objects of the API have at most a few MiB. */
export const MAX_BYTES = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Decodes the lines of a watch from chunks. A chunk may end within a character. Throws a `KubeError` for a line longer than `maxBytes`. */
export class Lines {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that are complete with this chunk, without empty ones. */
  *push(chunk: Uint8Array): Generator<string> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      start = end + 1;
      yield* this.#line();
    }
    this.#keep(chunk.subarray(start));
  }

  /** The last line, if the stream ended without a line break. */
  *end(): Generator<string> {
    yield* this.#line();
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes)
      throw new KubeError(0, 'TooLarge', `an event of the watch is larger than ${this.#maxBytes} bytes`);
    if (part.length > 0) this.#parts.push(part);
  }

  *#line(): Generator<string> {
    const [first] = this.#parts;
    if (first === undefined) return;
    const bytes = this.#parts.length === 1 ? first : Buffer.concat(this.#parts, this.#size);
    this.#parts = [];
    this.#size = 0;
    const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    if (/\S/.test(line)) yield line;
  }
}

/** Throws a `KubeError` if the line is not JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new KubeError(0, 'NotJson', 'the watch broke off within an event, or sent what is not JSON');
  }
}
