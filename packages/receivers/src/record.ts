import type { IncomingHttpHeaders } from 'node:http';
import type { FaultName } from './fault.ts';

/** What the receiver did with a request. */
export interface Answer {
  /** The status code it sent; undefined when it sent no HTTP answer. */
  readonly status: number | undefined;
  /** The fault a rule chose; undefined when none did. */
  readonly fault: FaultName | undefined;
  /** Whether the receiver accepted the message, with any answer. False if there is no message. */
  readonly accepted: boolean;
}

/** One request as it arrived, with the fields of all receivers. */
export interface RequestRecord {
  /** 1, 2, 3 … in the order in which requests were complete (or cut off). */
  readonly number: number;
  /** When the request's head arrived: wall clock, milliseconds since the epoch. */
  readonly arrivedAt: number;
  /** The same time by the monotonic clock, milliseconds. */
  readonly arrivedMonotonic: number;
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  /** False when the connection ended, or a fault cut it, before the whole body had been read. */
  readonly complete: boolean;
  /** The `webhook-id` header, `''` without one. */
  readonly id: string;
  /** The number of this request among those with its id, from 1 (always 1 without an id). */
  readonly attempt: number;
  readonly answered: Answer;
}

/** One line about a record, for people who look for an error. */
export function describeRequest(record: RequestRecord): string {
  const { id, attempt, answered } = record;
  const parts = [
    `#${record.number} ${record.method} ${record.path}`,
    ...(id === '' ? [] : [`id ${id} attempt ${attempt}`]),
    `${record.rawBody.length} bytes${record.complete ? '' : ' (cut off)'}`,
    `answered ${answered.status ?? 'nothing'}${answered.fault === undefined ? '' : ` by fault ${answered.fault}`}`,
    answered.accepted ? 'accepted' : 'not accepted',
  ];
  return parts.join(', ');
}
