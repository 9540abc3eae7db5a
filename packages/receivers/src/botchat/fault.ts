import type { Fault } from '../fault.ts';
import { refusing, tooMany, type Refusal } from './refusal.ts';

/**
 * A fault with the Bot API's answer for an error: `botchatFault({ code: 400, description: 'Bad Request: …' })`. With `accepted` the
 * message was accepted all the same.
 */
export function botchatFault(refusal: Refusal, accepted = false): Fault<'status'> {
  const { status, headers, body } = refusing(refusal);
  return {
    kind: 'status',
    status,
    accepted,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  };
}

/** A fault with the Bot API's answer to too many messages. */
export function botchatFlood(retryAfterSeconds: number): Fault<'status'> {
  return botchatFault(tooMany(retryAfterSeconds));
}
