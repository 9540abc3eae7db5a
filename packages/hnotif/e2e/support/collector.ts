import type { IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import { ok, startAnswering } from '../../../lab/src/answering.ts';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A span in the protocol's JSON. */
interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly events?: readonly { readonly name: string; readonly attributes: readonly Attribute[] }[];
  readonly status?: { readonly code: number; readonly message: string };
}

interface WireRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

/** A span that a collector has received. */
export interface FoundSpan extends Omit<WireSpan, 'attributes' | 'events'> {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

const plain = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** An OpenTelemetry collector on loopback. It accepts everything, or with `silent` it never answers. */
export async function startCollector({ silent = false } = {}) {
  const requests: { readonly url: string; readonly headers: IncomingHttpHeaders; readonly text: string }[] =
    [];
  const { origin, close } = await startAnswering(({ path: url, headers, body: text }) => {
    requests.push({ url, headers, text });
    return silent ? { kind: 'hang' } : ok('{}', 'application/json');
  });
  onTestFinished(close);
  const parsed = () => requests.flatMap(({ text }) => (JSON.parse(text) as WireRequest).resourceSpans);
  return {
    url: origin,
    requests,
    resource: (): Record<string, unknown> => plain(parsed()[0]?.resource.attributes ?? []),
    spans: (): FoundSpan[] =>
      parsed()
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map(({ attributes, events = [], ...span }) => ({
          ...span,
          attributes: plain(attributes),
          events: events.map(({ name, attributes: of }) => ({ name, attributes: plain(of) })),
        })),
  };
}
