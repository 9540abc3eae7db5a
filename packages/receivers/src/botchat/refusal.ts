import type { PlainAnswer } from '../decision.ts';

/** An error in the Bot API's form (core.telegram.org/bots/api#making-requests). */
export interface Refusal {
  readonly code: number;
  readonly description: string;
  readonly parameters?: { readonly migrate_to_chat_id?: number; readonly retry_after?: number };
}

export const NOT_FOUND: Refusal = { code: 404, description: 'Not Found' };

export function badRequest(reason: string): Refusal {
  return { code: 400, description: `Bad Request: ${reason}` };
}

/** The answer with a refusal. A time for the retry is also in the header. */
export function refusing({ code, description, parameters }: Refusal): PlainAnswer {
  const wait = parameters?.retry_after;
  const body = { ok: false, error_code: code, description, ...(parameters !== undefined && { parameters }) };
  return {
    status: code,
    headers: wait === undefined ? {} : { 'retry-after': String(wait) },
    body: JSON.stringify(body),
  };
}

export function answering(result: unknown): PlainAnswer {
  return { status: 200, headers: {}, body: JSON.stringify({ ok: true, result }) };
}

export function tooMany(seconds: number): Refusal {
  return {
    code: 429,
    description: `Too Many Requests: retry after ${seconds}`,
    parameters: { retry_after: seconds },
  };
}
