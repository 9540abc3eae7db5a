import { Chunks } from './chunks.ts';
import { KubeError } from './error.ts';

const NEWLINE = 0x0a;

/** Decodes the lines of a watch from chunks. A chunk may end within a character. Throws a `KubeError` for a line longer than `maxBytes`. */
export class Lines {
  readonly #chunks: Chunks;

  constructor(maxBytes?: number) {
    this.#chunks = new Chunks('an event of the watch', maxBytes);
  }

  /** The lines that are complete with this chunk, without empty ones. */
  *push(chunk: Uint8Array): Generator<string> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#chunks.add(chunk.subarray(start, end));
      start = end + 1;
      yield* this.#line();
    }
    this.#chunks.add(chunk.subarray(start));
  }

  /** The last line, if the stream ended without a line break. */
  *end(): Generator<string> {
    yield* this.#line();
  }

  *#line(): Generator<string> {
    const line = this.#chunks.take();
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
