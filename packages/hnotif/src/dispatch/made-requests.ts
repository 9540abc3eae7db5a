import type { RequestWait, DeliveryRequest } from '@hnotif/core/page';

/** One request of a delivery, and what followed. */
export type MadeRequest = Omit<DeliveryRequest, 'at'>;

/** So many of the first requests are kept… */
const FIRST = 2;
/** …and of the last ones. A sink that is down for days is tried every ten minutes. */
const LAST = 4;
/** The most that is kept of a delivery. */
export const MOST_REQUESTS = FIRST + LAST;

/** An answered request. Times in monotonic milliseconds. */
export interface AnsweredRequest {
  readonly sent: number;
  readonly ended: number;
  readonly status: number | undefined;
  /** `''`: the receiver took it. */
  readonly reason: string;
  /** Why the delivery was not over; undefined: it was. */
  readonly why: RequestWait | undefined;
  /** So many after this one are left out. */
  readonly omitted?: number;
}

/** The first and the last requests of a delivery, with this one. */
export function withRequest(
  before: readonly AnsweredRequest[],
  request: AnsweredRequest,
): readonly AnsweredRequest[] {
  const all = [...before, request];
  const last = all[FIRST - 1];
  if (all.length <= MOST_REQUESTS || last === undefined) return all;
  return all.toSpliced(FIRST - 1, 2, { ...last, omitted: (last.omitted ?? 0) + 1 });
}

/** What a journal keeps of the requests of a delivery that has ended at `now` (monotonic milliseconds). */
export const madeRequests = (now: number, all: readonly AnsweredRequest[]): readonly MadeRequest[] =>
  all.map(({ sent, ended, status, reason, why, omitted }, at) => {
    const next = all[at + 1];
    const waits = next === undefined ? why : (why ?? 'own');
    return {
      tookMs: whole(ended - sent),
      ...(status !== undefined && { status }),
      ...(reason !== '' && { reason }),
      ...(waits && { wait: { why: waits, ms: whole((next?.sent ?? now) - ended) } }),
      ...(omitted !== undefined && { omitted }),
    };
  });

const whole = (ms: number): number => Math.max(0, Math.round(ms));
