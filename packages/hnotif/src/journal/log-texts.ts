import { LazyMap } from '../lazy-collections.ts';
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
 * The texts of a plan's log in its journal, and their changes: new events, cursors, and chunks to remove. So the size of a write depends on
 * the changes since the last one, not on the number of events that wait.
 */
export class LogTexts {
  readonly #log: PlanLog;
  #streams: StreamName[] = [];
  readonly #places = new LazyMap<string, number>();
  #groups: number[][] = [];
  readonly #groupsByPlaces = new LazyMap<string, number>();
  #known: WeakMap<ReadonlySet<Stream>, number> | undefined;
  #chunks: Chunk[] = [];
  /** The last event in a chunk. */
  #last: Pick<LogEntry, 'at' | 'table'> | undefined;
  #resets = 0;
  readonly #chunk: number;

  /** `chunk`: events of a chunk at most. */
  constructor(log: PlanLog, chunk = CHUNK) {
    this.#log = log;
    this.#chunk = chunk;
  }

  /** How often `reset` was called. */
  get resets(): number {
    return this.#resets;
  }

  /** The number of the target table of the last written event; undefined: there is none. */
  get lastTable(): number | undefined {
    return this.#last?.table;
  }

  /** Everything has to be written again. */
  reset(): void {
    this.#resets++;
    this.#forget();
  }

  #forget(): void {
    this.#streams = [];
    this.#places.clear();
    this.#groups = [];
    this.#groupsByPlaces.clear();
    this.#known = undefined;
    this.#chunks = [];
    this.#last = undefined;
  }

  /**
   * The JSON of each text that has changed, by its name in the entry; null removes it. Yields after each chunk. Meanwhile deliveries may end,
   * and events may be added: those are left for the next write. After a `reset` it starts again. `stored`: the texts that may be in the
   * entry, by name.
   */
  *changes(short: boolean, stored: Stored): Generator<undefined, Texts> {
    const texts: Texts = new Map();
    if (this.#isWasteful) this.#forget();
    const resets = this.#resets;
    const before = this.#streams.length + this.#groups.length;
    const added = this.#log.entries((this.#last?.at ?? -1) + 1);
    for (let from = 0; from < added.length; from += this.#chunk) {
      const events = this.#newEvents(added.slice(from, from + this.#chunk).filter(({ open }) => open > 0));
      const [first] = events;
      if (first === undefined) continue;
      const name = nameOf(first.at ?? first.seq);
      texts.set(name, JSON.stringify(short ? events.map(shortEvent) : events));
      yield;
      if (this.#resets !== resets) return yield* this.changes(short, stored);
    }
    if (this.#log.isEmpty) {
      for (const part of ['streams', 'cursors']) if (stored.has(part)) texts.set(part, null);
      this.#forget();
    } else {
      if (this.#streams.length + this.#groups.length > before)
        texts.set(
          'streams',
          JSON.stringify({ streams: this.#streams, groups: this.#groups } satisfies StreamsContent),
        );
      texts.set('cursors', JSON.stringify(this.#cursors()));
      this.#dropChunks();
    }
    const needed = new Set(this.#chunks.map(({ first }) => nameOf(first)));
    for (const names of [stored.keys(), texts.keys()])
      for (const name of names) if (name.startsWith(nameOf('')) && !needed.has(name)) texts.set(name, null);
    return texts;
  }

  /** Puts these events, which follow the last chunk, into a chunk and returns their content. */
  #newEvents(entries: readonly LogEntry[]): EventContent[] {
    const { tables } = this.#log;
    const after = this.#last?.at ?? -1;
    const [first] = entries;
    if (first === undefined) return [];
    // When no older event waits, the tables of older events are not needed.
    const isChained = (this.#log.oldest?.at ?? Infinity) <= after;
    let before = isChained ? this.#last : undefined;
    const events = entries.map((entry): EventContent => {
      const { at, seq, acceptedAt, group, table } = entry;
      const change = before && tables.between(before.table, table);
      const back = before && change && inverseOf(tables.at(before.table), change);
      before = entry;
      const content: EventContent = Object.assign(plainEvent(entry), {
        acceptedAt,
        to: this.#groupOf(group),
      });
      if (at !== seq) content.at = at;
      if (back !== undefined) content.before = back;
      return content;
    });
    const last = entries.at(-1) ?? first;
    this.#chunks.push({ first: first.at, last: last.at });
    this.#last = { at: last.at, table: last.table };
    return events;
  }

  /** Removes chunks without events that wait, only the oldest ones: tables are stored from the newest one back. */
  #dropChunks(): void {
    const oldest = this.#log.oldest?.at ?? Infinity;
    while ((this.#chunks[0]?.last ?? Infinity) < oldest) this.#chunks.shift();
  }

  get #isWasteful(): boolean {
    if (this.#chunks.length > this.#log.size + WASTE) return true;
    if (this.#streams.length <= WASTE) return false;
    const live = [...this.#log.streams.values()].filter(({ waiting }) => waiting > 0).length;
    return this.#streams.length > 2 * live + WASTE;
  }

  #groupOf(group: ReadonlySet<Stream>): number {
    const known = this.#known?.get(group);
    if (known !== undefined) return known;
    const places = [...group].map((stream) => this.#placeOf(stream));
    const key = places.join();
    const number = this.#groupsByPlaces.get(key) ?? this.#groups.push(places) - 1;
    this.#groupsByPlaces.set(key, number);
    (this.#known ??= new WeakMap()).set(group, number);
    return number;
  }

  #placeOf({ to: { notification, sink }, sinkType: type }: Stream): number {
    const key = `${notification}/${sink} ${type}`;
    const place = this.#places.get(key) ?? this.#streams.push({ notification, sink, type }) - 1;
    this.#places.set(key, place);
    return place;
  }

  /** The cursor of each stream. Most streams of a plan are at the same place, and may skip hundreds of ranges: these are named once. */
  #cursors(): readonly CursorContent[] {
    let last: { readonly place: number; readonly at: number; readonly skips: readonly number[] } | undefined;
    return this.#streams.map((name, place) => {
      const stream = this.#log.streams.get(streamKey(name));
      const at = stream && this.#log.first(stream)?.at;
      if (stream === undefined || at === undefined) return [];
      const { skips } = stream;
      if (last?.at === at && last.skips === skips && skips.length > 0) return [at, last.place];
      last = { place, at, skips };
      return cursorOf(at, skips);
    });
  }
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
