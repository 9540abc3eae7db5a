import type { Fault, RetryAfter } from '../fault.ts';

export interface TeamchatFaultOptions {
  /** Default 200, like errors of the Web API; 429 with a `retryAfter`. */
  readonly status?: number;
  readonly retryAfter?: RetryAfter;
  /** Whether the message was accepted all the same. Default false. */
  readonly accepted?: boolean;
  /** Default: none. */
  readonly messages?: readonly string[];
}

/** A fault with the Web API's answer for an error: `{ "ok": false, "error": "internal_error" }`. */
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
