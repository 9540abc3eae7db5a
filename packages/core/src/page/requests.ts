/** Why a delivery was not over after a request. */
export const REQUEST_WAITS = ['retry', 'paused', 'held', 'parked', 'quarantined', 'own', 'next'] as const;
export type RequestWait = (typeof REQUEST_WAITS)[number];

/** One request of a delivery, and what followed. */
export interface DeliveryRequest {
  /** When it was sent: RFC 3339. */
  readonly at: string;
  readonly tookMs: number;
  /** The status of the answer. Absent: there was none. */
  readonly status?: number;
  /** CamelCase, as in conditions and metrics. Absent: the receiver took it. */
  readonly reason?: string;
  /** The time until the next request that is listed, or until the end. Absent: the delivery ended with it. */
  readonly wait?: { readonly why: RequestWait; readonly ms: number };
  /** So many requests after it are not kept; its wait is over all of them. Absent: none. */
  readonly omitted?: number;
}

const WAITS: Readonly<Record<RequestWait, string>> = {
  retry: 'before a retry',
  paused: 'because the receiver asked for a pause',
  held: 'while other messages of the sink arrived',
  parked: 'because the sink was parked',
  quarantined: 'until the configuration was corrected',
  own: 'for hnotif itself, not for the receiver',
  next: 'before the next request of the message',
};

/** `503 ServiceUnavailable` */
export const answerInWords = ({ reason, status }: DeliveryRequest): string =>
  [status ?? '', reason ?? ''].join(' ').trim();

/** `waited 2.0 s because the receiver asked for a pause`; `''`: nothing followed. `duration`: a time in words. */
export function waitInWords({ omitted, wait }: DeliveryRequest, duration: (ms: number) => string): string {
  if (wait === undefined) return '';
  const more =
    omitted === undefined ? '' : `, with ${omitted} more ${omitted === 1 ? 'request' : 'requests'}`;
  return `waited ${duration(wait.ms)} ${WAITS[wait.why]}${more}`;
}

/** The deliveries of which each request is listed. Of an event at many sinks only those that took several. */
export const withRequests = <T extends { readonly requests?: readonly DeliveryRequest[] }>(
  deliveries: readonly T[],
): readonly T[] =>
  deliveries.filter(({ requests = [] }) => requests.length > (deliveries.length === 1 ? 0 : 1));

/** The heading of the requests of a delivery. */
export const requestsTo = ({
  count,
  notification,
  sink,
}: Readonly<Record<'notification' | 'sink', string>> & { readonly count: number }): string =>
  `Requests to ${notification}/${sink}${count === 1 ? '' : ', of the first of them'}`;

/** The requests of a list with their numbers, of which some may be left out. */
export function numbered(all: readonly DeliveryRequest[]): readonly (readonly [number, DeliveryRequest])[] {
  let number = 0;
  return all.map((each) => {
    const own = ++number;
    number += each.omitted ?? 0;
    return [own, each] as const;
  });
}
