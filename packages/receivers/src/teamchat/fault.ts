import type { Fault, RetryAfter } from '../fault.ts';

export interface TeamchatFaultOptions {
  /** Default 200, as the Web API answers errors; 429 where there is a `retryAfter`. */
  readonly status?: number;
  readonly retryAfter?: RetryAfter;
  /** Whether the message was taken in all the same. Default false. */
  readonly accepted?: boolean;
  /** Default: none. */
  readonly messages?: readonly string[];
}

/** The Web API's answer for an error, as a fault: `{ "ok": false, "error": "internal_error" }`. */
export function teamchatFault(error: string, options: TeamchatFaultOptions = {}): Fault<'status'> {
  const { retryAfter, accepted = false, messages } = options;
  const body = { ok: false, error, ...(messages !== undefined && { response_metadata: { messages } }) };
  return {
    kind: 'status',
    status: options.status ?? (retryAfter === undefined ? 200 : 429),
    accepted,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}
