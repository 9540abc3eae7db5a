import { streamKey, type LogEntry, type StreamName } from '../dispatch/log-entry.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import type { Stream } from '../dispatch/stream.ts';
import { inverseOf } from '../dispatch/target-tables.ts';
import { plainEvent } from '@hnotif/core/lifecycle';
import type { Texts } from './text.ts';
import { shortEvent, type CursorContent, type EventContent, type StreamsContent } from './content.ts';

/** Events that were written together: the positions of the first and the last one. */
interface Chunk {
  readonly first: number;
  readonly last: number;
}

/** What was written of a plan's log, as far as the next write refers to it. */
export interface WrittenLog {
  /** Groups and cursors refer to them by their places. */
  readonly streams: readonly StreamName[];
  /** Events refer to them by their places. */
  readonly groups: readonly number[][];
  /** The places of some groups. */
  readonly known: WeakMap<ReadonlySet<Stream>, number> | undefined;
  readonly chunks: readonly Chunk[];
  /** The last event in a chunk. */
  readonly last: Pick<LogEntry, 'at' | 'table'> | undefined;
}

const NOTHING: WrittenLog = { streams: [], groups: [], known: undefined, chunks: [], last: undefined };

/** Everything has to be written. A new object: while texts are made, their maker notices that this is so again. */
export const nothingWritten = (): WrittenLog => ({ ...NOTHING });

/** The names of texts. */
interface Stored {
  has(name: string): boolean;
  keys(): Iterable<string>;
}

/** With more empty streams and chunks than this, everything is written again. */
const WASTE = 32;

/** Events of a chunk at most. A plan may have thousands of events to write, and other work must not wait for all of them. */
const CHUNK = 256;

/**
 * The JSON of each text of a plan's log that has changed since what was written `before`, by its name in the entry; null removes it: new
 * events, cursors, and chunks to remove. So the size of a write depends on the changes, not on the number of events that wait. Yields after
 * each chunk. Meanwhile deliveries may end, and events may be added: those are left for the next write. `stored`: the texts that may be in
 * the entry, by name. `chunk`: events of a chunk at most.
 */
export function* logTexts(
  log: PlanLog,
  before: WrittenLog,
  short: boolean,
  stored: Stored,
  chunk = CHUNK,
): Generator<undefined, { readonly texts: Texts; readonly written: WrittenLog }> {
  const texts: Texts = new Map();
  const base = isWasteful(log, before) ? NOTHING : before;
  const known = base.known ?? new WeakMap<ReadonlySet<Stream>, number>();
  const [streams, groups, chunks] = [[...base.streams], [...base.groups], [...base.chunks]];
  const groupOf = (group: ReadonlySet<Stream>): number => {
    const place = known.get(group) ?? placeIn(groups, placesOf(group, streams));
    known.set(group, place);
    return place;
  };
  let { last } = base;
  const added = log.entries((last?.at ?? -1) + 1);
  for (let from = 0; from < added.length; from += chunk) {
    const entries = added.slice(from, from + chunk).filter(({ open }) => open > 0);
    const [first] = entries;
    if (first === undefined) continue;
    const events = contentsOf(log, entries, last, groupOf);
    last = entries.at(-1) ?? first;
    chunks.push({ first: first.at, last: last.at });
    texts.set(nameOf(first.at), JSON.stringify(short ? events.map(shortEvent) : events));
    yield;
  }
  const { isEmpty, oldest } = log;
  if (isEmpty) {
    for (const part of ['streams', 'cursors']) if (stored.has(part)) texts.set(part, null);
  } else {
    if (streams.length + groups.length > base.streams.length + base.groups.length)
      texts.set('streams', JSON.stringify({ streams, groups } satisfies StreamsContent));
    texts.set('cursors', JSON.stringify(cursorsOf(log, streams)));
  }
  // Chunks without events that wait go, only the oldest ones: tables are stored from the newest one back.
  const kept = chunks.filter((each) => each.last >= (oldest?.at ?? Infinity));
  const names = new Set(kept.map(({ first }) => nameOf(first)));
  for (const each of [stored.keys(), texts.keys()])
    for (const name of each) if (name.startsWith(nameOf('')) && !names.has(name)) texts.set(name, null);
  return { texts, written: isEmpty ? nothingWritten() : { streams, groups, known, chunks: kept, last } };
}

/** The content of these events, which follow the last one that was written. */
function contentsOf(
  log: PlanLog,
  entries: readonly LogEntry[],
  last: WrittenLog['last'],
  groupOf: (group: ReadonlySet<Stream>) => number,
): EventContent[] {
  const { tables } = log;
  // When no older event waits, the tables of older events are not needed.
  let before = (log.oldest?.at ?? Infinity) <= (last?.at ?? -1) ? last : undefined;
  return entries.map((entry) => {
    const { at, seq, acceptedAt, group, table } = entry;
    const change = before && tables.between(before.table, table);
    const back = before && change && inverseOf(tables.at(before.table), change);
    before = entry;
    const content: EventContent = Object.assign(plainEvent(entry), { acceptedAt, to: groupOf(group) });
    if (at !== seq) content.at = at;
    if (back !== undefined) content.before = back;
    return content;
  });
}

function isWasteful({ size, streams: all }: PlanLog, { chunks, streams }: WrittenLog): boolean {
  if (chunks.length > size + WASTE) return true;
  if (streams.length <= WASTE) return false;
  const live = [...all.values()].filter(({ waiting }) => waiting > 0).length;
  return streams.length > 2 * live + WASTE;
}

/** The places of these streams among those that are written. New ones are added. */
function placesOf(group: ReadonlySet<Stream>, written: StreamName[]): number[] {
  const keyOf = (name: StreamName): string => `${streamKey(name)} ${name.type}`;
  const places = new Map(written.map((name, place) => [keyOf(name), place]));
  return [...group].map(({ to: { notification, sink }, sinkType: type }) => {
    const name = { notification, sink, type };
    return places.get(keyOf(name)) ?? written.push(name) - 1;
  });
}

/** The place of a group. A new one is added. */
function placeIn(groups: number[][], group: number[]): number {
  const place = groups.findIndex((each) => each.join() === group.join());
  return place < 0 ? groups.push(group) - 1 : place;
}

/** The cursor of each stream. Most streams of a plan are at the same place, and may skip hundreds of ranges: these are named once. */
function cursorsOf(log: PlanLog, streams: readonly StreamName[]): readonly CursorContent[] {
  let last: { readonly place: number; readonly at: number; readonly skips: readonly number[] } | undefined;
  return streams.map((name, place) => {
    const stream = log.streams.get(streamKey(name));
    const at = stream && log.first(stream)?.at;
    if (stream === undefined || at === undefined) return [];
    const { skips } = stream;
    if (last?.at === at && last.skips === skips && skips.length > 0) return [at, last.place];
    last = { place, at, skips };
    return cursorOf(at, skips);
  });
}

/** The position of the next event, and the ranges of `skips` after it. */
function cursorOf(at: number, skips: readonly number[]): CursorContent {
  const cursor = [at];
  for (let index = 0; index < skips.length; index += 2) {
    const [from = 0, to = 0] = [skips[index], skips[index + 1]];
    if (to > at) cursor.push(from, to);
  }
  return cursor;
}

const nameOf = (first: number | ''): string => `log ${first}`;
