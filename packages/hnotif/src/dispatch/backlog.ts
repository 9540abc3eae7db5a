import { Share } from '../fair/share.ts';
import type { Limits } from './limits.ts';
import { dropOrder, type Expendable } from './overflow.ts';
import type { LogEntry } from './log-entry.ts';
import { PlanLog } from './plan-log.ts';
import type { LivePlan } from './delivery.ts';
import type { Slices } from './slices.ts';
import type { Stream } from './stream.ts';

/** Of what is full so much is freed at once, so that the next event does not meet it full again. */
const FREED = 1 / 8;

export interface BacklogOptions {
  readonly limits: Pick<Limits, 'backlogBytes' | 'streamBytes' | 'streamDeliveries'>;
  readonly slices: Slices;
  /** What waited in the stream had to go. */
  readonly dropped: (stream: Stream, gone: readonly LogEntry[]) => void;
}

/**
 * All that waits, with its bounds: of a stream, and of all logs together, which namespaces share. A full stream alone loses
 * something, and so does a namespace that is over its share; what belongs to others stays.
 */
export class Backlog {
  readonly #options: BacklogOptions;
  /** By namespace. */
  readonly #logs = new Map<string, Set<PlanLog>>();
  readonly #bytes: Share;
  /** Streams that may hold more than they are to. */
  readonly #full = new Set<Stream>();
  /** Namespaces that are making room. */
  readonly #relieving = new Set<string>();
  #deliveries = 0;

  constructor(options: BacklogOptions) {
    this.#options = options;
    this.#bytes = new Share(options.limits.backlogBytes);
  }

  get deliveries(): number {
    return this.#deliveries;
  }

  get bytes(): number {
    return this.#bytes.total;
  }

  /** Of all plans with something that waits. */
  *logs(): Iterable<PlanLog> {
    for (const logs of this.#logs.values()) yield* logs;
  }

  /** The log of a plan, empty. */
  open(plan: LivePlan): PlanLog {
    const { namespace } = plan.current;
    let isKnown = false;
    const log: PlanLog = new PlanLog(plan, (deliveries, bytes) => {
      this.#deliveries += deliveries;
      if (bytes > 0) this.#bytes.take(namespace, bytes);
      else if (bytes < 0) this.#bytes.give(namespace, -bytes);
      if (isKnown !== log.isEmpty) return;
      isKnown = !isKnown;
      this.#know(log);
    });
    return log;
  }

  /** Something was appended to the log: brings its streams, and its namespace, back within their bounds. */
  bound(log: PlanLog): void {
    const { limits, slices } = this.#options;
    const areTrimmed = this.#full.size > 0;
    for (const stream of log.streams.values())
      if (isOver(stream.waiting, stream.bytes, limits)) this.#full.add(stream);
    // What was appended may have been thousands of events: that is enough for one turn.
    if (!areTrimmed && this.#full.size > 0) slices.later(this.#trimAll());
    this.#relieve(log.namespace);
  }

  /**
   * The log is too large to be kept: each of its streams that is more than half as long as the longest loses half of what waits in it.
   * False: nothing was lost.
   */
  shed(log: PlanLog): boolean {
    const longest = Math.max(0, ...[...log.streams.values()].map(({ waiting }) => waiting));
    let lost = false;
    for (const stream of [...log.streams.values()])
      if (stream.waiting > longest / 2)
        lost = this.#trim(stream, { deliveries: Math.max(1, Math.floor(stream.waiting / 2)) }) || lost;
    return lost;
  }

  *#trimAll(): Generator<undefined, void> {
    const { streamDeliveries, streamBytes } = this.#options.limits;
    // Sinks of one plan mostly wait for the same: what goes from one of them goes from all.
    const known = new Map<string, ReadonlySet<LogEntry>>();
    for (const stream of this.#full) {
      const alike = [
        stream.log.planUid,
        stream.cursor,
        stream.waiting,
        stream.bytes,
        stream.tried?.at,
      ].join();
      const gone = known.get(alike);
      if (gone !== undefined) this.#drop(stream, gone);
      if (isOver(stream.waiting, stream.bytes, this.#options.limits)) {
        const { waiting, bytes } = stream;
        const surplus = this.#surplus(stream, {
          deliveries:
            waiting > streamDeliveries ? streamDeliveries - Math.floor(streamDeliveries * FREED) : waiting,
          bytes: bytes > streamBytes ? streamBytes * (1 - FREED) : bytes,
        });
        known.set(alike, surplus);
        this.#drop(stream, surplus);
      }
      this.#full.delete(stream);
      yield;
    }
  }

  /** Leaves at most so many deliveries in the stream, if what `may` go suffices. False: nothing had to go. */
  #trim(stream: Stream, bounds: { deliveries: number; may?: Expendable }): boolean {
    return this.#drop(stream, this.#surplus(stream, bounds));
  }

  /** What has to go so that at most so many deliveries and bytes are left. */
  #surplus(
    stream: Stream,
    { deliveries, bytes = Infinity, may }: { deliveries: number; bytes?: number; may?: Expendable },
  ): ReadonlySet<LogEntry> {
    const { tried } = stream;
    const candidates = stream.log.waitingOf(stream).filter((entry) => entry !== tried);
    const gone = new Set<LogEntry>();
    let left = stream.waiting;
    let leftBytes = stream.bytes;
    for (const entry of dropOrder(candidates, may)) {
      // One that is larger than all of them may be stays.
      if (left <= deliveries && (leftBytes <= bytes || left === 1)) break;
      gone.add(entry);
      left--;
      leftBytes -= entry.bytes;
    }
    return gone;
  }

  #drop(stream: Stream, surplus: ReadonlySet<LogEntry>): boolean {
    if (surplus.size === 0) return false;
    this.#options.dropped(
      stream,
      stream.remove((entry) => surplus.has(entry)),
    );
    return true;
  }

  /** Where the backlog is full and the namespace over its share: sinks that hold most of it lose something, until it is not. */
  #relieve(namespace: string): void {
    if (this.#relieving.has(namespace) || !this.#isOverShare(namespace)) return;
    this.#relieving.add(namespace);
    this.#options.slices.run(this.#relief(namespace));
  }

  *#relief(namespace: string): Generator<undefined, void> {
    const goal = this.#bytes.held(namespace) * (1 - FREED);
    const isRelieved = (): boolean => this.#bytes.held(namespace) <= goal && !this.#isOverShare(namespace);
    // An event is held once for all sinks: what a light sink loses frees nothing while a heavy one waits for the same.
    for (const streams of heaviestFirst(this.#logs.get(namespace) ?? []))
      for (const { may, keep } of RELIEF) {
        if (isRelieved()) break;
        const longest = streams.reduce((most, { waiting }) => Math.max(most, waiting), 0);
        const deliveries = Math.floor(longest * keep);
        for (const stream of streams) {
          if (isRelieved()) break;
          if (stream.waiting <= deliveries) continue;
          this.#trim(stream, { deliveries, may });
          yield;
        }
      }
    this.#relieving.delete(namespace);
  }

  /** More than its share of a backlog that is nearly full. */
  #isOverShare(namespace: string): boolean {
    return this.#bytes.held(namespace) > this.#bytes.limit - this.#bytes.total;
  }

  #know(log: PlanLog): void {
    const { namespace } = log;
    const logs = this.#logs.get(namespace) ?? new Set();
    if (log.isEmpty) logs.delete(log);
    else logs.add(log);
    if (logs.size > 0) this.#logs.set(namespace, logs);
    else this.#logs.delete(namespace);
  }
}

/** Sinks make room together when at least this part of what waits for the heaviest of them waits for each. */
const ALIKE = 7 / 8;

/** In this order: what may go, and how much of the longest stream each stream may keep. The last words on nights go last. */
const RELIEF: readonly { readonly may: Expendable; readonly keep: number }[] = [
  ...(['progress', 'beginnings'] as const).flatMap((may) => [1 / 2, 1 / 8, 0].map((keep) => ({ may, keep }))),
  ...[1 / 2, 1 / 8, 0].map((keep) => ({ may: 'all' as const, keep })),
];

/** The streams of sinks, in groups of sinks that hold about as much; the group that holds most comes first. */
function heaviestFirst(logs: Iterable<PlanLog>): readonly (readonly Stream[])[] {
  const sinks = new Map<string, { bytes: number; readonly streams: Stream[] }>();
  for (const log of [...logs].sort((a, b) => b.bytes - a.bytes))
    for (const stream of log.streams.values()) {
      const name = `${stream.to.notification}/${stream.to.sink}`;
      const sink = sinks.get(name) ?? { bytes: 0, streams: [] };
      sinks.set(name, sink);
      sink.bytes += stream.bytes;
      sink.streams.push(stream);
    }
  const groups: { readonly most: number; readonly streams: Stream[] }[] = [];
  for (const { bytes, streams } of [...sinks.values()].sort((a, b) => b.bytes - a.bytes)) {
    const last = groups.at(-1);
    if (last !== undefined && bytes >= last.most * ALIKE) last.streams.push(...streams);
    else groups.push({ most: bytes, streams: [...streams] });
  }
  return groups.map(({ streams }) => streams);
}

const isOver = (
  deliveries: number,
  bytes: number,
  { streamDeliveries, streamBytes }: BacklogOptions['limits'],
): boolean => deliveries > 1 && (deliveries > streamDeliveries || bytes > streamBytes);
