import type { Stall, StallKind } from './delivery.ts';
import type { Lane } from './lane.ts';
import type { Park, Why } from './park.ts';
import type { Stream } from './stream.ts';

/** Why something of a sink waits, and until when; undefined: nothing does, or not for long. */
export function stallOf(lane: Lane): Stall | undefined {
  if (lane.waiting === 0) return undefined;
  if (lane.park !== undefined) return parked(lane, lane.park);
  if (lane.pause !== undefined) return paused(lane, lane.pause);
  for (const stream of lane.streams.values())
    if (stream.state === 'held' && stream.suspected !== undefined) return held(stream, stream.suspected);
  return undefined;
}

type Until = Why & Pick<Stall, 'nextAt'>;

export const parked = (lane: Lane, { cause, nextAt }: Park) =>
  stall(cause.kind, { ...cause, nextAt }, lane.streams.values());

export const paused = (lane: Lane, until: Until) => stall('paused', until, lane.streams.values());

export const held = (stream: Stream, until: Until) => stall('held', until, [stream]);

function stall<Kind extends StallKind>(
  kind: Kind,
  { reason, message, nextAt }: Until,
  streams: Iterable<Stream>,
): Stall<Kind> {
  let waiting = 0;
  let since = Infinity;
  for (const { head, size } of streams) {
    waiting += size;
    since = Math.min(since, head?.acceptedAt ?? Infinity);
  }
  return { kind, reason, message, since, nextAt, waiting };
}
