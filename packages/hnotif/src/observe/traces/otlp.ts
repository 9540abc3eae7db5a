import { Agent } from 'undici';
import { boundedText } from '../../bounded-text.ts';
import type { Clock } from '@hnotif/core/clock';
import { exportRequest, type Span } from './span.ts';
import type { TraceSettings } from './settings.ts';

/** One request ends after this time (milliseconds). It is the protocol's default. */
const TIMEOUT_MS = 10_000;
/** More of an answer is not read (bytes). */
const LONGEST_ANSWER = 65_536;

/** Sends spans to a collector by OTLP over HTTP, in JSON. */
export class OtlpClient {
  readonly #settings: TraceSettings;
  readonly #clock: Clock;
  readonly #version: string;
  readonly #agent = new Agent({ connections: 1, pipelining: 1 });

  constructor(settings: TraceSettings, clock: Clock, version: string) {
    this.#settings = settings;
    this.#clock = clock;
    this.#version = version;
  }

  /** Resolves with the number of spans that were refused. Rejects with an error that shows neither path nor headers. */
  async send(spans: readonly Span[], signal: AbortSignal): Promise<number> {
    const { endpoint, headers, resource } = this.#settings;
    const timeout = new AbortController();
    const cancel = this.#clock.after(TIMEOUT_MS, () => {
      timeout.abort(new Error(`no answer in ${TIMEOUT_MS / 1_000} s`));
    });
    try {
      const { statusCode, body } = await this.#agent.request({
        origin: endpoint.origin,
        path: `${endpoint.pathname}${endpoint.search}`,
        method: 'POST',
        headers: { 'user-agent': `hnotif/${this.#version}`, ...headers, 'content-type': 'application/json' },
        body: exportRequest({ ...resource, 'service.version': this.#version }, this.#version, spans),
        signal: AbortSignal.any([signal, timeout.signal]),
      });
      const answer = (await boundedText(body, LONGEST_ANSWER)) ?? '';
      if (statusCode < 200 || statusCode >= 300) throw new Error(`the collector answered ${statusCode}`);
      return refusedIn(answer);
    } finally {
      cancel();
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** `partialSuccess.rejectedSpans` of an answer. Everything else is an answer without refusals. */
function refusedIn(text: string): number {
  try {
    const { partialSuccess } = JSON.parse(text) as { partialSuccess?: { rejectedSpans?: unknown } };
    const refused = Number(partialSuccess?.rejectedSpans ?? 0);
    return Number.isSafeInteger(refused) && refused > 0 ? refused : 0;
  } catch {
    return 0;
  }
}
