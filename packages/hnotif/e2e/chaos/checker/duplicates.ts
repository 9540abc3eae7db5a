/** Messages that were taken in (or refused for good) more than once, and which of those the service may not be blamed for. */
import type { Arrival, Gap, Kill } from '../record.ts';

/** A webhook's end is written down within so long (milliseconds, docs/guarantees.md); a chat's at once. */
const SETTLE_MS = { webhook: 500, chat: 0 };

export interface Repeat {
  readonly arrivals: readonly [Arrival, Arrival];
  readonly allowed: boolean;
}

/**
 * Each time a message was taken in again. That is allowed where no sender could have known: nothing clear was answered; it was sent
 * before the first was taken in; or the process was killed before it could write down the answer, for which it had the settle window, longer while journals could
 * not be written.
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

/** The receiver has it, or will never have it. */
export const hasEnded = ({ accepted, told }: Arrival): boolean => accepted || told === 'rejected';

function wasKilled(
  before: Arrival,
  again: Arrival,
  kills: readonly Kill[],
  refusals: readonly Gap[],
  settleMs: number,
): boolean {
  return kills.some(({ at, servedAt, slackMs }) => {
    const due = before.at + before.lateMs + settleMs + slackMs;
    // Refused writes are tried again after a while: what was to be written in between is as late.
    const until = refusals
      .filter(({ from, to }) => from <= due && to >= before.at)
      .reduce((latest, { to }) => Math.max(latest, to + settleMs + slackMs), due);
    // What was sent before the next one serves was sent by the one that was killed.
    return before.sentAt <= (servedAt ?? Infinity) && at <= again.at && at <= until;
  });
}
