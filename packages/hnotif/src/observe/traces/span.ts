/** A value of an attribute. An empty text is left out. */
export type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A span as OpenTelemetry defines it. Times are in milliseconds since the epoch, with fractions. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Undefined: the root of its trace. */
  readonly parentSpanId?: string;
  readonly name: string;
  /** `client`: a request to another service. Default: inside this one. */
  readonly kind?: 'client';
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly events?: readonly {
    readonly name: string;
    readonly at: number;
    readonly attributes: Attributes;
  }[];
  /** Why it failed, in a word; undefined: it did not. */
  readonly error?: string | undefined;
}

/** Texts of attributes are cut to this length. */
const LONGEST_TEXT = 256;

/** `SPAN_KIND_INTERNAL`, `SPAN_KIND_CLIENT` and `STATUS_CODE_ERROR` of the protocol. */
const [INTERNAL, CLIENT, ERROR] = [1, 3, 2];

/** A request of OTLP over HTTP in JSON (opentelemetry-proto, `ExportTraceServiceRequest`). */
export const exportRequest = (resource: Attributes, version: string, spans: readonly Span[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: encode(resource) },
        scopeSpans: [{ scope: { name: 'hnotif', version }, spans: spans.map(encodeSpan) }],
      },
    ],
  });

const encodeSpan = ({ kind, start, end, attributes, events, error, ...ids }: Span): object => ({
  ...ids,
  kind: kind === 'client' ? CLIENT : INTERNAL,
  startTimeUnixNano: nanoseconds(start),
  endTimeUnixNano: nanoseconds(Math.max(start, end)),
  attributes: encode(attributes),
  ...(events !== undefined && {
    events: events.map(({ name, at, attributes: of }) => ({
      ...{ name, timeUnixNano: nanoseconds(at), attributes: encode(of) },
    })),
  }),
  ...(error !== undefined && { status: { code: ERROR, message: error } }),
});

const encode = (attributes: Attributes): object[] =>
  Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => ({ key, value: encodeValue(value) }));

/** 64-bit integers are texts in the protocol's JSON. */
function encodeValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value.slice(0, LONGEST_TEXT) };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** A number has not enough digits for nanoseconds since the epoch. */
const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);
