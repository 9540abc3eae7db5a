import { isTooOld, type Ages } from './log-entry.ts';
import type { PlanLog } from './plan-log.ts';
import { expired } from './reasons.ts';
import type { Sender } from './sender.ts';
import type { Stream } from './stream.ts';

/** Drops the deliveries of these logs that have waited too long. Yields after each log. */
export function* expire(
  logs: Iterable<PlanLog>,
  ages: Ages,
  now: number,
  sender: Pick<Sender, 'drop'>,
): Generator<undefined, void> {
  const accepted = now - Math.min(ages.maxAgeMs, ages.maxAgeOfProgressMs);
  for (const log of logs) {
    if ((log.oldest?.since ?? Infinity) > accepted) continue;
    if (log.entries().some((entry) => isTooOld(entry, ages, now)))
      for (const stream of [...log.streams.values()]) expireIn(stream, ages, now, sender);
    yield;
  }
}

function expireIn(stream: Stream, ages: Ages, now: number, sender: Pick<Sender, 'drop'>): void {
  if (stream.waiting === 0) return;
  // A delivery in flight is checked before its next request.
  const { inFlight, lastCause } = stream;
  const gone = stream.remove((entry) => entry !== inFlight && isTooOld(entry, ages, now));
  for (const kind of new Set(gone.map((entry) => entry.kind))) {
    const ofKind = gone.filter((entry) => entry.kind === kind);
    sender.drop(stream, ofKind, expired({ kind }, lastCause));
  }
}
