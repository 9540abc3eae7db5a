import type { BoardPlace } from '@hnotif/core/page';
import { streamKey } from '../dispatch/log-entry.ts';
import type { StoredPlan } from '../journal/entry.ts';
import { formatSeconds, parseTime } from '@hnotif/core/lifecycle';
import { storedRow, type StoredRow, hasEnded } from '@hnotif/core/sinks';

/** A delivery that a board shows, or may show. */
export interface OnBoard {
  readonly notification: string;
  readonly sink: string;
  readonly seq: number;
  readonly event: string;
  /** When it ended, or was accepted if it waits: RFC 3339. */
  readonly at: string;
}

/** The board of an event, as its plan's journal knows it; undefined: the sink has none, or it is not stored yet. */
export function boardOf(
  { sinks }: Pick<StoredPlan, 'sinks'>,
  { notification, sink, seq, event, at }: OnBoard,
): BoardPlace | undefined {
  const stream = streamKey({ notification, sink });
  const nights = sinks
    .filter((each) => each.stream === stream)
    .flatMap(({ key, value }) => storedRow(key, value) ?? [])
    .sort((a, b) => a.row.seq - b.row.seq);
  // A later event of a plan has a higher number. Details after the end of a run do not change its row.
  const until = parseTime(at) ?? Infinity;
  const isDetail = event === 'PhaseChange' || event === 'ExecutionProgress';
  const found =
    nights.find(({ openedAt, row }) => row.seq >= seq && (!isDetail || openedAt <= until)) ??
    (isDetail ? nights.findLast(({ openedAt, row }) => openedAt <= until && hasEnded(row)) : undefined);
  return found && placeOf(found);
}

const placeOf = ({ operation, openedAt, place }: StoredRow): BoardPlace => ({
  ...{ operation, began: formatSeconds(openedAt) },
  ...(place && { channel: place.channel, message: place.ts }),
});

/** `message 1767643200.000100 in C0123456789, the board of the shutdown that began 2026-01-05T20:00:00Z` */
export const boardInWords = ({ operation, began, channel, message }: BoardPlace): string =>
  `${message === undefined ? '' : `message ${message} in ${channel}, `}the board of the ${operation} that began ${began}`;
