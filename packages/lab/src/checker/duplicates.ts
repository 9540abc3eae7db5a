/** Messages that were accepted (or permanently refused) more than once, and which of these duplicates are allowed. */
import type { Arrival, Gap, Kill, Timeout } from '../record.ts';

/** The outcome of a webhook is stored within this time when many plans change (milliseconds, docs/guarantees.md), that of a chat at once. */
const SETTLE_MS = { webhook: 5_000, chat: 0 };

/** The time limit of a request (docs/guarantees.md), and how late a line of the log may be read (milliseconds). */
const LIMIT_MS = 10_000;
const READ_MS = 2_000;

export interface Repeat {
  readonly arrivals: readonly [Arrival, Arrival];
  readonly allowed: boolean;
}

/**
 * The duplicates. A duplicate is allowed if no sender could know of the first message:
 * - the answer to the first one was unclear, or came too late: hnotif tells each request that had no answer in time (`timeouts`, of the
 *   message of an arrival);
 * - it was sent before the first one was accepted;
 * - the process was killed before it could store the outcome. It has the settle window for this, and longer while journals cannot be
 *   written.
 */
export function repeatsOf(
  arrivals: readonly Arrival[],
  keyOf: (arrival: Arrival) => string,
  troubles: {
    readonly kills: readonly Kill[];
    readonly refusals: (arrival: Arrival) => readonly Gap[];
    readonly timeouts: (arrival: Arrival) => readonly Timeout[];
  },
  isWebhook: (sink: string) => boolean,
): Repeat[] {
  const last = new Map<string, Arrival>();
  /** Each explains one duplicate. */
  const used = new Set<Timeout>();
  const cameLate = (before: Arrival, again: Arrival): boolean => {
    const answered = before.at + before.lateMs;
    const timeout = troubles
      .timeouts(before)
      .find(
        (each) =>
          !used.has(each) &&
          each.at >= before.at - LIMIT_MS &&
          each.at <= Math.min(answered, again.at) + READ_MS,
      );
    if (timeout !== undefined) used.add(timeout);
    return timeout !== undefined;
  };
  return arrivals.filter(hasEnded).flatMap((arrival): Repeat[] => {
    const key = keyOf(arrival);
    const before = last.get(key);
    last.set(key, arrival);
    if (before === undefined) return [];
    const settleMs = isWebhook(arrival.sink) ? SETTLE_MS.webhook : SETTLE_MS.chat;
    const allowed =
      before.told === 'unclear' ||
      arrival.sentAt <= before.at ||
      wasKilled(before, arrival, troubles.kills, troubles.refusals(arrival), settleMs) ||
      cameLate(before, arrival);
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
