import { KubeError } from './error.ts';

/** The largest object that is read (bytes). Objects of the API have at most a few MiB. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** A text in UTF-8 that comes in chunks, which may end within a character. */
export class Chunks {
  readonly #what: string;
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  /** `what` it is, for the error. */
  constructor(what: string, maxBytes = MAX_BYTES) {
    this.#what = what;
    this.#maxBytes = maxBytes;
  }

  /** Throws a `KubeError` when it becomes too large. */
  add(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes)
      throw new KubeError(0, 'TooLarge', `${this.#what} is larger than ${this.#maxBytes} bytes`);
    if (part.length > 0) this.#parts.push(part);
  }

  /** The text so far. The next one begins. */
  take(): string {
    const [first] = this.#parts;
    const isOne = first !== undefined && this.#parts.length === 1;
    const bytes = isOne ? first : Buffer.concat(this.#parts, this.#size);
    this.#parts = [];
    this.#size = 0;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  }
}
