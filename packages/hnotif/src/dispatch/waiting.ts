import type { Stall, StallKind } from './delivery.ts';
import type { OpenCircuit, Why } from './circuit-breaker.ts';
import type { SinkQueue } from './sink-queue.ts';
import type { Stream } from './stream.ts';

/** Why something of a sink waits, and until when; undefined: nothing does, or not for long. */
export function stallOf(queue: SinkQueue): Stall | undefined {
  if (queue.waiting === 0) return undefined;
  if (queue.circuit !== undefined) return parked(queue, queue.circuit);
  if (queue.pause !== undefined) return paused(queue, queue.pause);
  if (queue.overShare !== undefined) return overShare(queue, queue.overShare);
  for (const stream of queue.streams.values())
    if (stream.state === 'held' && stream.suspected !== undefined) return held(stream, stream.suspected);
  return undefined;
}

/** Why the head of a stream waits, in the words of the last try; undefined: that is not known. */
export const reasonOf = (queue: SinkQueue | undefined, stream: Stream): Why | undefined =>
  queue?.circuit?.cause ??
  queue?.pause ??
  ((stream.head?.failedSends ?? 0) > 0 ? stream.suspected : undefined);

type Until = Why & Pick<Stall, 'nextAt'>;

export const parked = (queue: SinkQueue, { cause, nextAt }: OpenCircuit) =>
  stall(cause.kind, { ...cause, nextAt }, queue.streams.values());

export const paused = (queue: SinkQueue, until: Until) => stall('paused', until, queue.streams.values());

export const overShare = (queue: SinkQueue, why: Why) =>
  stall('over-share', { ...why, nextAt: 0 }, queue.streams.values());

export const held = (stream: Stream, until: Until) => stall('held', until, [stream]);

function stall<Kind extends StallKind>(
  kind: Kind,
  { reason, message, nextAt }: Until,
  streams: Iterable<Stream>,
): Stall<Kind> {
  let waiting = 0;
  let since = Infinity;
  for (const stream of streams) {
    waiting += stream.waiting;
    since = Math.min(since, stream.oldest);
  }
  return { kind, reason, message, since, nextAt, waiting };
}
