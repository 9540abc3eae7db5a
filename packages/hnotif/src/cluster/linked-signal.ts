import { setMaxListeners } from 'node:events';

/**
 * An abort signal that follows another until it is released. `AbortSignal.any` would do, but on Node 20 a long-lived
 * source remembers every signal that ever followed it.
 */
export class LinkedSignal {
  readonly #own = new AbortController();
  readonly #source: AbortSignal | undefined;
  readonly #abort = (): void => {
    this.#own.abort();
  };

  constructor(source: AbortSignal | undefined) {
    this.#source = source;
    if (source === undefined) return;
    // As many requests as are under way follow one source: no leak, so no warning.
    setMaxListeners(0, source);
    if (source.aborted) this.abort();
    else source.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  abort(): void {
    this.#own.abort();
  }

  /** Follows its source no longer. */
  release(): void {
    this.#source?.removeEventListener('abort', this.#abort);
  }
}
