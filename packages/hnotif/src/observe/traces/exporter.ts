import type { Clock } from '@hnotif/core/clock';
import type { Span } from './span.ts';

/** What became of spans: `sent`; `overflow`: no room; `failed`: no answer, or an error; `refused`: the collector took the others only. */
export type SpanResult = 'sent' | 'overflow' | 'failed' | 'refused';

export interface SpanExporterOptions {
  readonly clock: Clock;
  /** Sends spans. Resolves with the number that the collector has refused. Rejects when it has taken none. */
  readonly send: (spans: readonly Span[], signal: AbortSignal) => Promise<number>;
  readonly count: (result: SpanResult, spans: number) => void;
  /** The collector takes nothing, or again something. */
  readonly changed: (error: Error | undefined) => void;
}

/** Spans that wait; some 2 MiB. */
const ROOM = 2_048;
/** Spans of one request. */
const BATCH = 256;
/** The time between two requests while there are fewer spans, and after a failure (milliseconds). */
const INTERVAL_MS = 5_000;

/**
 * Sends spans in batches, one request at a time. A collector that is slow or away costs spans and nothing else: a batch is sent once,
 * and when there is no room, new spans are dropped.
 */
export class SpanExporter {
  readonly #options: SpanExporterOptions;
  readonly #waiting: Span[] = [];
  #sending: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #fails = false;
  #closing = false;
  /** Ends the request in flight. */
  readonly #abort = new AbortController();

  constructor(options: SpanExporterOptions) {
    this.#options = options;
  }

  /** Whether there is room. If not, a span is counted as dropped, and need not be made. */
  hasRoom(): boolean {
    if (this.#waiting.length < ROOM && !this.#abort.signal.aborted) return true;
    this.#options.count('overflow', 1);
    return false;
  }

  add(span: Span): void {
    if (!this.hasRoom()) return;
    this.#waiting.push(span);
    this.#schedule();
  }

  /** Sends what waits, until `enough` aborts or a request fails. Takes no more spans afterwards. */
  async close(enough: AbortSignal): Promise<void> {
    this.#closing = true;
    const end = (): void => {
      this.#abort.abort();
    };
    enough.addEventListener('abort', end, { once: true });
    if (enough.aborted) end();
    await this.#sending;
    while (this.#waiting.length > 0 && !this.#abort.signal.aborted && !this.#fails) await this.#send();
    enough.removeEventListener('abort', end);
    end();
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#waiting.length > 0) this.#options.count('failed', this.#waiting.splice(0).length);
  }

  #schedule(): void {
    if (this.#sending !== undefined || this.#closing) return;
    if (this.#waiting.length >= BATCH && !this.#fails) {
      // Not in the caller's turn: it may still add to its last span.
      this.#sending = Promise.resolve().then(() => this.#send());
      return;
    }
    this.#cancel ??= this.#options.clock.after(INTERVAL_MS, () => {
      this.#cancel = undefined;
      this.#sending ??= this.#send();
    });
  }

  async #send(): Promise<void> {
    const { send, count, changed } = this.#options;
    const batch = this.#waiting.splice(0, BATCH);
    let failure: Error | undefined;
    try {
      const refused = await send(batch, this.#abort.signal);
      if (refused > 0) count('refused', Math.min(refused, batch.length));
      if (refused < batch.length) count('sent', batch.length - refused);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      count('failed', batch.length);
    }
    if (this.#fails !== (failure !== undefined)) changed(failure);
    this.#fails = failure !== undefined;
    this.#sending = undefined;
    if (this.#waiting.length > 0) this.#schedule();
  }
}
