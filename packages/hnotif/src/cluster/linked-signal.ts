import { setMaxListeners } from 'node:events';

/**
 * An abort signal that follows another one until it is released. Not `AbortSignal.any`: on Node 20 a long-lived source keeps every signal
 * that ever followed it.
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
    // Many requests may follow one source. Node would warn of a leak.
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
