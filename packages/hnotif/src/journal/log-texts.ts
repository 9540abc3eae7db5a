import { streamKey, type LogEntry, type StreamName } from '../dispatch/log-entry.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import type { Stream } from '../dispatch/stream.ts';
import { inverseOf } from '../dispatch/target-tables.ts';
import { plainEvent } from '../lifecycle/event-json.ts';
import { shortEvent, type EventContent, type StreamsContent } from './content.ts';

/** Some events that were written together: the places of the first and the last one. */
interface Chunk {
  readonly first: number;
  readonly last: number;
}

/** Streams and chunks of which nothing waits any more may be so many before all is written anew. */
const WASTE = 32;

/**
 * What stands in a journal of the log of a plan, and what has to be written of it: new events, cursors, and chunks of which nothing waits
 * any more. So a write grows with what has happened since the one before, not with what waits.
 */
export class LogTexts {
  readonly #log: PlanLog;
  /** Names of the chunks that may stand in the journal: `log 12`. */
  readonly #names: Set<string>;
  #streams: StreamName[] = [];
  #places = new Map<string, number>();
  #groups: number[][] = [];
  #groupsByPlaces = new Map<string, number>();
  #known = new WeakMap<ReadonlySet<Stream>, number>();
  #chunks: Chunk[] = [];
  /** The last event that is in a chunk. */
  #last: Pick<LogEntry, 'at' | 'table'> | undefined;

  /** `names`: of the texts that stand in the journal, as an earlier process wrote them. */
  constructor(log: PlanLog, names: Iterable<string>) {
    this.#log = log;
    this.#names = new Set([...names].filter((name) => name.startsWith('log ')));
  }

  /** Number of the target table of the last event that is written; undefined: no event is. */
  get lastTable(): number | undefined {
    return this.#last?.table;
  }

  /** All of it has to be written anew. */
  reset(): void {
    this.#streams = [];
    this.#places = new Map();
    this.#groups = [];
    this.#groupsByPlaces = new Map();
    this.#known = new WeakMap();
    this.#chunks = [];
    this.#last = undefined;
  }

  /** The JSON of each text that has changed, by its name in the entry; null: it is taken out. */
  changes(short: boolean): ReadonlyMap<string, string | null> {
    const texts = new Map<string, string | null>();
    if (this.#isWasteful) this.reset();
    if (this.#log.isEmpty) {
      if (this.#streams.length > 0 || this.#names.size > 0)
        for (const part of ['streams', 'cursors']) texts.set(part, null);
      this.reset();
    } else {
      const before = this.#streams.length + this.#groups.length;
      const events = this.#newEvents();
      const [first] = events;
      if (first !== undefined) {
        const name = nameOf(first.at ?? first.seq);
        texts.set(name, JSON.stringify(short ? events.map(shortEvent) : events));
        this.#names.add(name);
      }
      if (this.#streams.length + this.#groups.length > before)
        texts.set(
          'streams',
          JSON.stringify({ streams: this.#streams, groups: this.#groups } satisfies StreamsContent),
        );
      texts.set('cursors', JSON.stringify(this.#streams.map((name) => this.#cursorOf(name))));
      this.#dropChunks();
    }
    if (this.#names.size > this.#chunks.length) {
      const needed = new Set(this.#chunks.map(({ first }) => nameOf(first)));
      for (const name of this.#names) if (!needed.has(name)) texts.set(name, null);
    }
    return texts;
  }

  /** These have been written, or taken out. */
  written(texts: ReadonlyMap<string, string | null>): void {
    for (const [name, text] of texts) if (text === null) this.#names.delete(name);
  }

  /** Events that are in no chunk yet; they are in one from now on. */
  #newEvents(): EventContent[] {
    const { tables } = this.#log;
    const after = this.#last?.at ?? -1;
    const entries = this.#log.entries(after + 1);
    const [first] = entries;
    if (first === undefined) return [];
    // Where nothing older waits no table of older events is asked for any more.
    const isChained = (this.#log.oldest?.at ?? Infinity) <= after;
    let before = isChained ? this.#last : undefined;
    const events = entries.map((entry): EventContent => {
      const { at, seq, acceptedAt, group, table } = entry;
      const change = before && tables.between(before.table, table);
      const back = before && change && inverseOf(tables.at(before.table), change);
      before = entry;
      return {
        ...plainEvent(entry),
        ...(at !== seq && { at }),
        acceptedAt,
        to: this.#groupOf(group),
        ...(back && { before: back }),
      };
    });
    const last = entries.at(-1) ?? first;
    this.#chunks.push({ first: first.at, last: last.at });
    this.#last = { at: last.at, table: last.table };
    return events;
  }

  /** Chunks of which nothing waits any more go, the oldest first: tables are told from the newest back. */
  #dropChunks(): void {
    const oldest = this.#log.oldest?.at ?? Infinity;
    while ((this.#chunks[0]?.last ?? Infinity) < oldest) this.#chunks.shift();
  }

  get #isWasteful(): boolean {
    const live = [...this.#log.streams.values()].filter(({ waiting }) => waiting > 0).length;
    return this.#streams.length > 2 * live + WASTE || this.#chunks.length > this.#log.size + WASTE;
  }

  #groupOf(group: ReadonlySet<Stream>): number {
    const known = this.#known.get(group);
    if (known !== undefined) return known;
    const places = [...group].map((stream) => this.#placeOf(stream));
    const key = places.join();
    const number = this.#groupsByPlaces.get(key) ?? this.#groups.push(places) - 1;
    this.#groupsByPlaces.set(key, number);
    this.#known.set(group, number);
    return number;
  }

  #placeOf({ to: { notification, sink }, sinkType: type }: Stream): number {
    const key = `${notification}/${sink} ${type}`;
    const place = this.#places.get(key) ?? this.#streams.push({ notification, sink, type }) - 1;
    this.#places.set(key, place);
    return place;
  }

  #cursorOf(name: StreamName): readonly number[] {
    const stream = this.#log.streams.get(streamKey(name));
    if (stream === undefined) return [];
    const first = this.#log.first(stream);
    if (first === undefined) return [];
    return [
      first.at,
      ...stream
        .skipped()
        .filter(([, last]) => last > first.at)
        .flat(),
    ];
  }
}

const nameOf = (first: number): string => `log ${first}`;
