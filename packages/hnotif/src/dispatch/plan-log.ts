import { dropOldest } from '../drop-oldest.ts';
import { LazyMap } from '../lazy-collections.ts';
import type { LifecycleEvent } from '@hnotif/core/lifecycle';
import type { LivePlan } from './delivery.ts';
import { LogEntry, streamKey } from './log-entry.ts';
import type { Acceptance, Routed, StreamName } from './log-entry.ts';
import { removalOf, type Loss, type Removal } from './removal.ts';
import { Stream } from './stream.ts';
import { TargetTables } from './target-tables.ts';

/** Events that are cached: the streams of a plan need the same event at about the same time. */
const CACHED_EVENTS = 8;
/** Groups of streams that are cached: one for each kind of event, and some older ones. */
const GROUPS = 12;

/**
 * The deliveries of one plan: each event once, and for each stream (a sink of the plan) a cursor. So memory and the work of accepting a
 * change grow with events plus streams, not with their product.
 *
 * An event may be sent once it is released. It is removed when no stream needs it.
 */
export class PlanLog {
  readonly plan: LivePlan;
  readonly planUid: string;
  readonly namespace: string;
  readonly name: string;
  /** By `notification/sink`. Some of them may be empty. */
  readonly streams = new LazyMap<string, Stream>();
  readonly #account: (deliveries: number, bytes: number) => void;
  readonly #tables = new TargetTables();
  readonly #cachedEvents = new LazyMap<LogEntry, LifecycleEvent>();
  #entries: LogEntry[] = [];
  /** Index of the first entry that a stream needs. */
  #first = 0;
  /** Entries that no stream needs. */
  #settled = 0;
  /** By the names of their streams. */
  readonly #groups = new LazyMap<string, ReadonlySet<Stream>>();
  /** The last group, and the list that named it: the other events of a change have the same list. */
  #lastGroup: { readonly to: readonly StreamName[]; readonly group: ReadonlySet<Stream> } | undefined;
  #nextAt = 0;
  #releasedTo = -1;
  #tableBytes = 0;
  #bytes = 0;
  #pending = 0;

  /** `account` is called with the change of deliveries and bytes. */
  constructor(plan: LivePlan, account: (deliveries: number, bytes: number) => void) {
    this.plan = plan;
    this.planUid = plan.current.uid;
    this.namespace = plan.current.namespace;
    this.name = plan.current.name;
    this.#account = account;
  }

  get isEmpty(): boolean {
    return this.#entries.length === this.#settled;
  }

  /** The memory that it takes (bytes). */
  get bytes(): number {
    return this.#bytes;
  }

  get pending(): number {
    return this.#pending;
  }

  get size(): number {
    return this.#entries.length - this.#settled;
  }

  /** The first event that waits; undefined: none does. */
  get oldest(): LogEntry | undefined {
    return this.#entries[this.#first];
  }

  /** The last event that waits; undefined: none does. */
  get newest(): LogEntry | undefined {
    return this.#entries.findLast(({ open }) => open > 0);
  }

  /** The entries that streams need, between these positions. Default: all. */
  entries(from = 0, to = Infinity): readonly LogEntry[] {
    const end = to === Infinity ? undefined : this.#indexOf(to + 1);
    return this.#entries.slice(this.#indexOf(from), end).filter(({ open }) => open > 0);
  }

  /** Appends the events that have subscribers. Returns how many. */
  append(routed: readonly Routed[], by: Acceptance): number {
    const grown = new Map<ReadonlySet<Stream>, { count: number; bytes: number }>();
    const before = this.#entries.length;
    for (const { event, to } of routed.filter((each) => each.to.length > 0)) {
      const group = this.#group(to);
      const at = Math.max(event.seq, this.#nextAt);
      const place = { at, table: this.#tables.push(event.targets), group };
      const entry = new LogEntry(this, event, by, place, this.#entries.at(-1));
      this.#nextAt = at + 1;
      this.#entries.push(entry);
      const { count, bytes } = grown.get(group) ?? { count: 0, bytes: 0 };
      grown.set(group, { count: count + 1, bytes: bytes + entry.bytes });
    }
    let deliveries = 0;
    let bytes = 0;
    for (const [group, sum] of grown) {
      deliveries += sum.count * group.size;
      bytes += sum.bytes;
      for (const stream of group) {
        stream.waiting += sum.count;
        stream.bytes += sum.bytes;
      }
    }
    if (deliveries > 0) this.#changed(deliveries, bytes);
    return this.#entries.length - before;
  }

  /** Events up to this position may be sent. Returns the streams that may have something to send now. */
  release(upTo: number): Iterable<Stream> {
    const released = new Set<Stream>();
    let last: LogEntry | undefined;
    for (let index = this.#indexOf(this.#releasedTo + 1); index < this.#entries.length; index++) {
      const entry = this.#entries[index];
      if (entry === undefined || entry.at > upTo) break;
      // Thousands of events may be for the same streams.
      if (entry.group !== last?.group) for (const stream of entry.group) released.add(stream);
      last = entry;
    }
    this.#releasedTo = Math.max(this.#releasedTo, upTo);
    return released;
  }

  /** Position of the last event that may be sent. */
  get releasedTo(): number {
    return this.#releasedTo;
  }

  /** The first event that waits in the stream and may be sent. */
  next(stream: Stream): LogEntry | undefined {
    const entry = this.first(stream);
    return entry !== undefined && entry.at <= this.#releasedTo ? entry : undefined;
  }

  /** The first event that waits in the stream, released or not. */
  first(stream: Stream): LogEntry | undefined {
    if (stream.waiting === 0) return undefined;
    const entry = this.nextOf(stream, stream.cursor);
    if (entry !== undefined) stream.cursor = entry.at;
    return entry;
  }

  /** The first event of the stream at or after this position. Without a copy of the log: it is called for each delivery. */
  nextOf(stream: Stream, from: number): LogEntry | undefined {
    const entries = this.#entries;
    for (let index = this.#indexOf(from); index < entries.length; index++) {
      const entry = entries[index];
      if (entry?.group.has(stream) === true && !stream.isSkipped(entry.at)) return entry;
    }
    return undefined;
  }

  /** The events that wait in the stream, in order, released or not. */
  waitingOf(stream: Stream): LogEntry[] {
    return this.#entries
      .slice(this.#indexOf(stream.cursor))
      .filter(({ group, at }) => group.has(stream) && !stream.isSkipped(at));
  }

  /** The event with its target table. */
  eventOf(entry: LogEntry): LifecycleEvent {
    const known = this.#cachedEvents.get(entry);
    if (known !== undefined) return known;
    const event = entry.withTargets(this.#tables.at(entry.table));
    this.#cachedEvents.set(entry, event);
    dropOldest(this.#cachedEvents, CACHED_EVENTS);
    return event;
  }

  /** The target tables of its entries, by number. */
  get tables(): Pick<TargetTables, 'at' | 'between'> {
    return this.#tables;
  }

  /** The head of the stream has ended. */
  settle(stream: Stream, entry: LogEntry): void {
    const after = { cursor: entry.at + 1, skips: stream.skips };
    this.remove(stream, { gone: [entry], bytes: entry.bytes, after });
  }

  /** What leaves the stream, if the events for which `isGone` is true do. */
  removalOf(stream: Stream, isGone: (entry: LogEntry) => boolean): Removal {
    const place = { entries: this.#entries, first: this.#indexOf(stream.cursor), end: this.#nextAt };
    return removalOf(stream, place, isGone);
  }

  /** Removes events from a stream that the removal suits. Returns them in order: the report of their end takes the head, if it is one of them. */
  remove(stream: Stream, { gone, bytes, after }: Loss): readonly LogEntry[] {
    if (gone.length === 0) return gone;
    stream.cursor = after.cursor;
    stream.skips = after.skips;
    stream.waiting -= gone.length;
    stream.bytes -= bytes;
    let freed = 0;
    const settled = this.#settled;
    for (const entry of gone) freed += this.#free(entry);
    this.#tidy(this.#settled > settled + 1);
    this.#changed(-gone.length, -freed);
    return gone;
  }

  /** Removes all events that are not released. They were not stored and are derived again. */
  truncate(): void {
    const end = this.#releasedTo;
    for (const stream of [...this.streams.values()]) {
      stream.remove(({ at }) => at > end);
      stream.cutTo(end);
    }
    this.#compact();
    this.#changed(0, 0);
    this.#nextAt = end + 1;
  }

  #free(entry: LogEntry): number {
    if (--entry.open > 0) return 0;
    this.#cachedEvents.delete(entry);
    this.#settled++;
    return entry.bytes;
  }

  /**
   * Removes entries that no stream needs, tables that no entry needs, and the streams of deleted sinks. `isDrop`: the memory of the tables is
   * wanted now. Otherwise later, together with others.
   */
  #tidy(isDrop: boolean): void {
    const before = this.#first;
    while (this.#entries[this.#first]?.open === 0) this.#first++;
    if (this.isEmpty) this.#tables.clear();
    else if (this.#first > before) this.#tables.forget(this.#entries[this.#first]?.table ?? 0);
    if (!isDrop && !this.isEmpty && (this.#settled <= 32 || 2 * this.#settled < this.#entries.length)) return;
    this.#compact();
    this.#groups.clear();
    this.#lastGroup = undefined;
    for (const [key, { waiting }] of this.streams) if (waiting === 0) this.streams.delete(key);
  }

  #compact(): void {
    this.#entries = this.#entries.filter(({ open }) => open > 0);
    this.#first = 0;
    this.#settled = 0;
    this.#tables.keepOnly(this.#entries.map(({ table }) => table));
  }

  #changed(deliveries: number, bytes: number): void {
    const delta = bytes + this.#tables.bytes - this.#tableBytes;
    this.#tableBytes = this.#tables.bytes;
    this.#bytes += delta;
    this.#pending += deliveries;
    this.#account(deliveries, delta);
  }

  /** Index of the first entry at or after this position. */
  #indexOf(at: number): number {
    const entries = this.#entries;
    let low = this.#first;
    let high = entries.length;
    if ((entries[low]?.at ?? at) >= at) return low;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((entries[middle]?.at ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The streams of these names. Most events of a plan have the same subscribers as an event before. */
  #group(to: readonly StreamName[]): ReadonlySet<Stream> {
    if (this.#lastGroup?.to === to) return this.#lastGroup.group;
    const key = to.map((name) => `${streamKey(name)} ${name.type}`).join();
    const group = this.#groups.get(key) ?? new Set(to.map((name) => this.#stream(name)));
    this.#groups.set(key, group);
    dropOldest(this.#groups, GROUPS);
    this.#lastGroup = { to, group };
    return group;
  }

  #stream(name: StreamName): Stream {
    const key = streamKey(name);
    let stream = this.streams.get(key);
    if (stream === undefined) this.streams.set(key, (stream = new Stream(this, name)));
    return stream;
  }
}
