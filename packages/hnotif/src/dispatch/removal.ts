import type { LogEntry } from './log-entry.ts';
import type { Stream } from './stream.ts';

/** Where a stream is in its log. */
type Place = Pick<Stream, 'cursor' | 'skips'>;

/** Entries that leave a stream, in order; their bytes, and where the stream is then. */
export interface Loss {
  readonly gone: readonly LogEntry[];
  readonly bytes: number;
  readonly after: Place;
}

/** Entries that leave all streams in the same place: most sinks of a plan wait for the same events. */
export interface Removal extends Loss {
  readonly before: Place;
  /** The groups of the entries after the cursor, and whether the stream belongs to them. */
  readonly groups: ReadonlyMap<ReadonlySet<Stream>, boolean>;
}

/**
 * Removes from a stream the entries for which `isGone` is true. `entries`: those of its log, of which `first` is the first one after its
 * cursor. `end`: the position of the next event. One pass over the entries.
 */
export function removalOf(
  stream: Stream,
  {
    entries,
    first,
    end,
  }: { readonly entries: readonly LogEntry[]; readonly first: number; readonly end: number },
  isGone: (entry: LogEntry) => boolean,
): Removal {
  const gone: LogEntry[] = [];
  const groups = new Map<ReadonlySet<Stream>, boolean>();
  const skips: number[] = [];
  // Skipped ranges stay, even without entries: an older write of the journal may contain their events.
  const skipped = stream.skipped();
  let next = 0;
  let cursor: number | undefined;
  let from: number | undefined;
  let to = 0;
  let bytes = 0;
  for (let index = first; index < entries.length; index++) {
    const entry = entries[index];
    if (entry === undefined) continue;
    const { at, group } = entry;
    const isMember = groups.get(group) ?? group.has(stream);
    groups.set(group, isMember);
    if (!isMember || stream.isSkipped(at)) continue;
    for (let range = skipped[next]; range !== undefined && range[0] < at; range = skipped[++next]) {
      from ??= range[0];
      to = range[1];
    }
    if (isGone(entry)) {
      from ??= at;
      to = at;
      gone.push(entry);
      bytes += entry.bytes;
      continue;
    }
    if (cursor === undefined) cursor = at;
    else if (from !== undefined) skips.push(from, to);
    from = undefined;
  }
  for (const [start, last] of skipped.slice(next)) {
    from ??= start;
    to = last;
  }
  if (cursor !== undefined && from !== undefined) skips.push(from, to);
  const before = { cursor: stream.cursor, skips: stream.skips };
  return { gone, bytes, before, after: { cursor: cursor ?? end, skips }, groups };
}

/** Whether the removal is the same for another stream of the log. */
export function suits({ gone, before, groups }: Removal, stream: Stream): boolean {
  if (stream.cursor !== before.cursor || stream.skips !== before.skips) return false;
  if (stream.tried !== undefined && gone.includes(stream.tried)) return false;
  for (const [group, isMember] of groups) if (group.has(stream) !== isMember) return false;
  return true;
}
