/** Messages that were accepted (or permanently refused) more than once, and which of these duplicates are allowed. */
import type { Arrival, Gap, Kill } from '../record.ts';

/** The outcome of a webhook is stored within this time (milliseconds, docs/guarantees.md), that of a chat at once. */
const SETTLE_MS = { webhook: 500, chat: 0 };

export interface Repeat {
  readonly arrivals: readonly [Arrival, Arrival];
  readonly allowed: boolean;
}

/**
 * The duplicates. A duplicate is allowed if no sender could know of the first message:
 * - the answer to the first one was unclear;
 * - it was sent before the first one was accepted;
 * - the process was killed before it could store the outcome. It has the settle window for this, and longer while journals cannot be
 *   written.
 */
export function repeatsOf(
  arrivals: readonly Arrival[],
  keyOf: (arrival: Arrival) => string,
  troubles: { readonly kills: readonly Kill[]; readonly refusals: (arrival: Arrival) => readonly Gap[] },
  isWebhook: (sink: string) => boolean,
): Repeat[] {
  const last = new Map<string, Arrival>();
  return arrivals.filter(hasEnded).flatMap((arrival): Repeat[] => {
    const key = keyOf(arrival);
    const before = last.get(key);
    last.set(key, arrival);
    if (before === undefined) return [];
    const settleMs = isWebhook(arrival.sink) ? SETTLE_MS.webhook : SETTLE_MS.chat;
    const allowed =
      before.told === 'unclear' ||
      arrival.sentAt <= before.at ||
      wasKilled(before, arrival, troubles.kills, troubles.refusals(arrival), settleMs);
    return [{ arrivals: [before, arrival], allowed }];
  });
}

/** The receiver has accepted the message, or has permanently refused it. */
export const hasEnded = ({ accepted, told }: Arrival): boolean => accepted || told === 'rejected';

function wasKilled(
  before: Arrival,
  again: Arrival,
  kills: readonly Kill[],
  refusals: readonly Gap[],
  settleMs: number,
): boolean {
  return kills.some(({ at, servedAt, slackMs, resumedAt = -Infinity }) => {
    const due = before.at + before.lateMs + settleMs + slackMs;
    // A refused write is tried again later. All outcomes until then are stored as late.
    const until = refusals
      .filter(({ from, to }) => from <= due && to >= before.at)
      .reduce((latest, { to }) => Math.max(latest, to + settleMs + slackMs), due);
    // Until the next process serves, the killed process is the sender. A paused one may write a last request when it continues.
    const senderUntil = Math.max(servedAt ?? Infinity, resumedAt + slackMs);
    return before.sentAt <= senderUntil && at <= again.at && at <= until;
  });
}
