import { hash } from 'node:crypto';
import type { Clock } from '@hnotif/core/clock';
import type { About, FailedSend, RequestTimes, Settlement } from '../dispatch/delivery.ts';
import type { LogEntry, LoggedEvent } from '../dispatch/log-entry.ts';
import { deliveryId } from '@hnotif/core/lifecycle';
import type { SpanExporter } from '../observe/traces/exporter.ts';
import type { Span } from '../observe/traces/span.ts';
import type { SinkAddress } from '@hnotif/core/resources';
import type { Outcome } from '@hnotif/core/sinks';

/** The wall clock counts in whole milliseconds: spans keep their order if a change that is not larger is ignored (milliseconds). */
const OFFSET_SLACK_MS = 2;

export interface TracesOptions {
  readonly clock: Clock;
  /** The part of the traces that is sent, from 0 to 1. */
  readonly ratio: number;
  readonly spans: Pick<SpanExporter, 'hasRoom' | 'add'>;
  readonly end: (enough: AbortSignal) => Promise<void>;
}

/** The last request of a delivery. */
interface LastRequest {
  readonly ended: number;
  /** Of its span. What follows the request is added in the same turn, before the span is sent. */
  readonly events: NonNullable<Span['events']>[number][];
}

/**
 * One trace for each event that a notification wants. Ids are made of the event's id, so that the next process continues the trace. A
 * span is sent when it has ended, by the process that sees its end:
 *
 *     Start                       from the moment when the watch showed the change, to the end of the last delivery
 *     ├─ journal write            to the moment when the event may be sent
 *     └─ deliver webhook          one for each sink
 *        ├─ wait                  for its turn, the secret, tokens, a retry, or a circuit breaker
 *        ├─ render                the message is made
 *        └─ request               one attempt, with its outcome
 *
 * It only observes. No attribute has an address or a text of a receiver: a webhook's path is a credential.
 */
export class Traces {
  readonly #options: TracesOptions;
  /** By delivery. */
  readonly #last = new WeakMap<About, LastRequest>();
  /** By log entry: when the event could be sent (monotonic milliseconds). */
  readonly #released = new WeakMap<RequestTimes['entry'], number>();

  /** From monotonic to wall-clock times (milliseconds). */
  #offset = NaN;

  constructor(options: TracesOptions) {
    this.#options = options;
  }

  /** Events were stored and will be sent. */
  released(entries: readonly LogEntry[]): void {
    const now = this.#options.clock.monotonic();
    for (const entry of entries) {
      this.#released.set(entry, now);
      this.#add(entry, (traceId) => ({
        ...{ traceId, spanId: idOf('journal write', entry.id), parentSpanId: idOf('event', entry.id) },
        ...{ name: 'journal write', start: entry.since, end: now, attributes: {} },
      }));
    }
  }

  /** A request of a delivery has ended. */
  attempted(about: About, outcome: Outcome, { entry, began, ready, sent, ended }: RequestTimes): void {
    const { event, to, sinkType } = about;
    const before = this.#last.get(about)?.ended ?? this.#released.get(entry) ?? entry.since;
    const last: LastRequest = { ended, events: [] };
    this.#last.set(about, last);
    const parentSpanId = deliverySpan(event, to);
    const part = (name: string, start: number, end: number, more: Partial<Span> = {}): void => {
      this.#add(event, (traceId) => ({
        ...{ traceId, spanId: idOf(name, parentSpanId, start), parentSpanId, name, start, end },
        ...{ attributes: {}, ...more },
      }));
    };
    part('wait', before, began);
    part('render', began, ready);
    const isFailure = 'message' in outcome;
    part('request', sent, ended, {
      kind: 'client',
      attributes: {
        'hnotif.sink.type': sinkType,
        'hnotif.outcome': outcome.kind,
        ...('reason' in outcome && { 'hnotif.reason': outcome.reason }),
        ...(outcome.kind === 'delivered' && { 'http.response.status_code': outcome.status }),
      },
      events: last.events,
      error: isFailure ? outcome.reason : undefined,
    });
  }

  /** A send has failed: the span of its last request says what follows. */
  sendFailed(about: About, { kind, reason, nextAt }: FailedSend): void {
    const { clock } = this.#options;
    this.#last.get(about)?.events.push({
      name: kind,
      at: clock.now(),
      attributes: { 'hnotif.reason': reason, 'hnotif.next_try': new Date(nextAt).toISOString() },
    });
  }

  /** Deliveries have ended. */
  settled({ to, sinkType, result, reason, events, event: lastEvent, requestCount }: Settlement): void {
    const now = this.#options.clock.monotonic();
    for (const event of events) {
      this.#add(event, (traceId) => ({
        ...{ traceId, spanId: deliverySpan(event, to), parentSpanId: idOf('event', event.id) },
        ...{ name: `deliver ${sinkType}`, start: event.since, end: now },
        attributes: {
          'hnotif.message.id': deliveryId(event.id, to.namespace, to.notification, to.sink),
          'hnotif.notification': to.notification,
          'hnotif.sink': to.sink,
          'hnotif.sink.type': sinkType,
          'hnotif.result': result,
          'hnotif.reason': reason,
          'hnotif.requests': event === lastEvent ? requestCount : 0,
        },
        error: result === 'failed' || result === 'dropped' ? reason : undefined,
      }));
      if (event.open > 0) continue;
      this.#add(event, (traceId) => ({
        ...{ traceId, spanId: idOf('event', event.id), name: event.kind, start: event.since, end: now },
        attributes: {
          'k8s.namespace.name': event.namespace,
          'hnotif.plan': event.plan,
          'hnotif.event.id': event.id,
          'hnotif.event.kind': event.kind,
          'hnotif.event.time': event.timestamp,
          'hnotif.run': event.run,
          'hnotif.cycle': event.cycle,
          'hnotif.operation': event.operation,
          'hnotif.phase': event.phase,
          ...(event.targetExecution && { 'hnotif.target': event.targetExecution.name }),
        },
      }));
    }
  }

  /** Sends what waits, until `enough` aborts. */
  close(enough: AbortSignal): Promise<void> {
    return this.#options.end(enough);
  }

  /** Adds a span, whose times are monotonic milliseconds, if its trace is sampled and there is room. */
  #add({ id }: Pick<LoggedEvent, 'id'>, make: (traceId: string) => Span): void {
    const { clock, ratio, spans } = this.#options;
    // Before the id is made: that is most of the work.
    if (ratio === 1 ? !spans.hasRoom() : ratio === 0) return;
    const traceId = hash('sha256', id, 'hex').slice(0, 32);
    if (!isSampled(traceId, ratio)) return;
    const span = make(traceId);
    const offset = clock.now() - clock.monotonic();
    if (!(Math.abs(offset - this.#offset) <= OFFSET_SLACK_MS)) this.#offset = offset;
    spans.add({ ...span, start: span.start + this.#offset, end: span.end + this.#offset });
  }
}

/** The decision of a ratio depends only on the trace's id, so that every process decides the same (the low 56 bits are random by the specification). */
const isSampled = (traceId: string, ratio: number): boolean =>
  parseInt(traceId.slice(18, 31), 16) / 2 ** 52 >= 1 - ratio;

/** The id of a span: 16 hexadecimal digits. */
const idOf = (name: string, ...of: readonly (string | number)[]): string =>
  hash('sha256', [name, ...of].join(' '), 'hex').slice(0, 16);

const deliverySpan = (
  { id }: Pick<LoggedEvent, 'id'>,
  { namespace, notification, sink }: SinkAddress,
): string => idOf('deliver', deliveryId(id, namespace, notification, sink));
