import type { Fault } from '../fault.ts';
import { refusing, tooMany, type Refusal } from './refusal.ts';

/**
 * The Bot API's answer for an error, as a fault: `botchatFault({ code: 400, description: 'Bad Request: …' })`. With
 * `accepted` the message was taken in all the same.
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

/** The Bot API's answer to too many messages, as a fault. */
export function botchatFlood(retryAfterSeconds: number): Fault<'status'> {
  return botchatFault(tooMany(retryAfterSeconds));
}
