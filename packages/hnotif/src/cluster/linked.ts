import { setMaxListeners } from 'node:events';

/**
 * An abort signal that follows others until it is released. `AbortSignal.any` would do, but on Node 20 a long-lived
 * source remembers every signal that ever followed it.
 */
export class Linked {
  readonly #own = new AbortController();
  readonly #sources: readonly AbortSignal[];
  readonly #abort = (): void => {
    this.#own.abort();
  };

  constructor(sources: readonly (AbortSignal | undefined)[]) {
    this.#sources = sources.filter((source) => source !== undefined);
    for (const source of this.#sources) {
      // As many requests as are under way follow one source: no leak, so no warning.
      setMaxListeners(0, source);
      if (source.aborted) this.abort();
      else source.addEventListener('abort', this.#abort, { once: true });
    }
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  abort(): void {
    this.#own.abort();
  }

  /** Follows its sources no longer. */
  release(): void {
    for (const source of this.#sources) source.removeEventListener('abort', this.#abort);
  }
}
