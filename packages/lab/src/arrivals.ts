import type { Answer, WebhookRecord } from '@hnotif/receivers';
import type { Arrival } from './record.ts';

/** docs/receivers.md: after no answer, 502 and 504 it is not known whether the message was accepted. */
function toldBy(status: number | undefined): Arrival['told'] {
  if (status === undefined || status === 502 || status === 504) return 'unclear';
  if (status === 400) return 'rejected';
  return status < 300 ? 'accepted' : 'refused';
}

type Message = Pick<Arrival, 'sink' | 'id' | 'message' | 'thread'>;

/** A request with a message, as the checker needs it; undefined: it has no effect. `latencyMs`: the longest latency of the receiver. */
export function arrivalOf(
  message: Message,
  { answered, arrivedAt }: { readonly answered: Answer; readonly arrivedAt: number },
  latencyMs: number,
): Arrival | undefined {
  const { accepted, fault, status } = answered;
  // The content of a request that was cut off is not known. A late request is recorded when it is applied.
  if (message.message === undefined || (fault === 'late' && !accepted)) return undefined;
  return {
    ...message,
    ...{ at: Date.now(), sentAt: arrivedAt, accepted },
    told: toldBy(status),
    lateMs: fault === 'latency' ? latencyMs : 0,
  };
}

/** The same for a webhook. Fields that are long, and that the checker does not use, are left out. */
export function webhookArrival(record: WebhookRecord, latencyMs: number): Arrival | undefined {
  const { context } = (record.json ?? {}) as { readonly context?: Readonly<Record<string, unknown>> };
  if (context === undefined) return undefined;
  const { errorMessage: _, targets: __, ...message } = context;
  const [, sink = ''] = record.path.split(/[/?]/);
  return arrivalOf({ sink, id: record.id, message, thread: '' }, record, latencyMs);
}
