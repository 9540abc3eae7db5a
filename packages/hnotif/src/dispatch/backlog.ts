import { Share } from '@hnotif/core/fair';
import { SINKS } from '@hnotif/core/sinks';
import { inSlices, laterInSlices, Repeated } from '../slices.ts';
import type { DispatcherOptions } from './options.ts';
import { isTooOld, type Acceptance, type LogEntry, type Routed } from './log-entry.ts';
import { PlanLog } from './plan-log.ts';
import type { LivePlan } from './delivery.ts';
import { dropOrder, type Expendable } from './drop-order.ts';
import { expired, OVERFLOW, SUPERSEDED } from './reasons.ts';
import { suits, type Removal } from './removal.ts';
import type { Sender } from './sender.ts';
import type { Stream } from './stream.ts';

/** A full stream or backlog is freed by this part, so that the next event finds room. */
const HEADROOM = 1 / 8;

/** A sink is slow if its oldest delivery of a plan has waited for this time (milliseconds). */
const SLOW_MS = 30_000;

/** The longest time between two searches for deliveries that are too old (milliseconds). One may become too old by this much. */
const EXPIRY_MS = 60_000;

/**
 * The logs of all plans and their limits: the size of a stream, the bytes of all logs, which namespaces share, and the age of a delivery.
 * Only a full stream and a namespace over its share lose deliveries for lack of space.
 */
export class Backlog {
  readonly #shared: DispatcherOptions;
  readonly #sender: Sender;
  /** The logs with deliveries that wait. */
  readonly #logs = new Set<PlanLog>();
  readonly #bytes: Share;
  /** Streams that may be over their limits. */
  readonly #full = new Set<Stream>();
  /** Namespaces whose deliveries are being dropped. */
  readonly #dropping = new Set<string>();
  readonly #expiry: Repeated;
  #deliveries = 0;
  #isClosed = false;

  constructor(shared: DispatcherOptions, sender: Sender) {
    const { clock, limits } = (this.#shared = shared);
    this.#sender = sender;
    const { maxAgeMs, maxAgeOfProgressMs, backlogBytes } = limits;
    this.#bytes = new Share(backlogBytes);
    this.#expiry = new Repeated(clock, Math.min(EXPIRY_MS, maxAgeMs, maxAgeOfProgressMs), () =>
      this.#expire(),
    );
  }

  get deliveries(): number {
    return this.#deliveries;
  }

  get bytes(): number {
    return this.#bytes.total;
  }

  /** The logs with deliveries that wait. */
  logs(): Iterable<PlanLog> {
    return this.#logs;
  }

  /** A new log for a plan. */
  open(plan: LivePlan): PlanLog {
    const log: PlanLog = new PlanLog(plan, (deliveries, bytes) => {
      this.#deliveries += deliveries;
      if (bytes > 0) this.#bytes.take(log.namespace, bytes);
      else if (bytes < 0) this.#bytes.give(log.namespace, -bytes);
      if (log.isEmpty) this.#logs.delete(log);
      else this.#logs.add(log);
      if (this.#deliveries > 0) return;
      this.#expiry.stop();
      this.#sender.queues.idle();
    });
    return log;
  }

  /** Appends events to a log, and brings its streams and its namespace back within their limits. */
  append(log: PlanLog, routed: readonly Routed[], by: Acceptance): void {
    const { clock, limits } = this.#shared;
    if (log.append(routed, by) === 0) return;
    if (!this.#isClosed) {
      this.#expiry.start();
      this.#sender.queues.startChecks();
    }
    const areTrimmed = this.#full.size > 0;
    for (const stream of log.streams.values())
      if (stream.waiting > limits.streamDeliveries || stream.bytes > limits.streamBytes)
        this.#full.add(stream);
    // Thousands of events may have been appended in this turn.
    if (!areTrimmed && this.#full.size > 0) void laterInSlices(clock, this.#trimAll());
    const { namespace } = log;
    if (this.#dropping.has(namespace) || !this.#isOverShare(namespace)) return;
    this.#dropping.add(namespace);
    void inSlices(clock, this.#dropUntilShared(namespace));
  }

  /**
   * For a log that is too large to be stored: of the sinks that take no messages now, halves each stream that is more than half as long
   * as the longest one; of all sinks, if those have nothing to lose. False: nothing was dropped.
   */
  halveLongest(log: PlanLog): boolean {
    const all = [...log.streams.values()];
    for (const streams of [all.filter(({ isHindered }) => isHindered), all]) {
      const longest = Math.max(0, ...streams.map(({ waiting }) => waiting));
      let last: Removal | undefined;
      let lost = 0;
      for (const stream of streams.filter(({ waiting }) => waiting > longest / 2)) {
        last = this.#trim(stream, { deliveries: Math.max(1, Math.floor(stream.waiting / 2)) }, last);
        lost += last.gone.length;
      }
      if (lost > 0) return true;
    }
    return false;
  }

  /** Nothing is sent any more: nothing becomes too old. */
  close(): void {
    this.#isClosed = true;
    this.#expiry.stop();
  }

  /** Drops the deliveries that have waited too long. Returns whether others wait. */
  *#expire(): Generator<undefined, boolean> {
    const { clock, limits } = this.#shared;
    const now = clock.monotonic();
    const accepted = now - Math.min(limits.maxAgeMs, limits.maxAgeOfProgressMs);
    const isOld = (entry: LogEntry): boolean => isTooOld(entry, limits, now);
    for (const log of [...this.#logs]) {
      if ((log.oldest?.since ?? Infinity) > accepted || !log.entries().some(isOld)) continue;
      let last: Removal | undefined;
      for (const stream of [...log.streams.values()]) {
        // A delivery in flight is checked before its next request.
        const { inFlight, lastCause } = stream;
        if (last === undefined || !suits(last, stream))
          last = log.removalOf(stream, (entry) => entry !== inFlight && isOld(entry));
        const gone = log.remove(stream, last);
        for (const kind of new Set(gone.map((entry) => entry.kind))) {
          const ofKind = gone.filter((entry) => entry.kind === kind);
          this.#sender.drop(stream, ofKind, expired({ kind }, lastCause));
        }
      }
      yield;
    }
    return this.#deliveries > 0 && !this.#isClosed;
  }

  *#trimAll(): Generator<undefined, void> {
    const last = new Map<Expendable, Removal>();
    for (const stream of this.#full) {
      // The last time for events that were appended since another stream lost the same.
      for (const may of ['superseded', 'all', 'all'] as const) {
        const bounds = this.#boundsOf(stream);
        if (bounds !== undefined) last.set(may, this.#trim(stream, { ...bounds, may }, last.get(may)));
      }
      this.#full.delete(stream);
      yield;
    }
  }

  /** How much a full stream may keep; undefined: it is not full. */
  #boundsOf(stream: Stream): Bounds | undefined {
    const { streamDeliveries, streamBytes, swiftStreamBytes } = this.#shared.limits;
    const { waiting, bytes } = stream;
    const isSwift = this.#isSwift(stream);
    const most = isSwift ? Infinity : streamDeliveries;
    const mostBytes = isSwift ? swiftStreamBytes : streamBytes;
    if (waiting === 1 || (waiting <= most && bytes <= mostBytes)) return undefined;
    return {
      deliveries: waiting > most ? most - Math.floor(most * HEADROOM) : waiting,
      bytes: bytes > mostBytes ? mostBytes * (1 - HEADROOM) : bytes,
    };
  }

  /** Whether the sink of a stream takes messages as fast as they come. */
  #isSwift(stream: Stream): boolean {
    if (SINKS[stream.sinkType].isRateLimited || stream.isHindered) return false;
    const { since = Infinity } = stream.log.first(stream) ?? {};
    return this.#shared.clock.monotonic() - since < SLOW_MS;
  }

  /** Drops what a stream holds beyond its bounds. `last`: what another one lost; a stream in the same place loses the same. */
  #trim(stream: Stream, bounds: Bounds, last?: Removal): Removal {
    const removal = last !== undefined && suits(last, stream) ? last : surplusOf(stream, bounds);
    const gone = stream.log.remove(stream, removal);
    this.#sender.drop(stream, gone, bounds.may === 'superseded' ? SUPERSEDED : OVERFLOW);
    return removal;
  }

  /** Drops deliveries of a namespace that is over its share, from the sinks that hold most of them. */
  *#dropUntilShared(namespace: string): Generator<undefined, void> {
    const goal = this.#bytes.held(namespace) * (1 - HEADROOM);
    const isWithinShare = (): boolean => this.#bytes.held(namespace) <= goal && !this.#isOverShare(namespace);
    const logs = [...this.#logs].filter((log) => log.namespace === namespace);
    const streams = logs.flatMap((log) => [...log.streams.values()]);
    const hindered = new Set(streams.filter((each) => each.isHindered));
    // Sinks share events: dropping one from a small sink frees nothing while a large sink waits for it.
    const groups = [
      ...largestFirst(hindered),
      ...largestFirst(streams.filter((each) => !hindered.has(each))),
    ];
    for (const group of groups)
      for (const { may, keep } of STEPS) {
        if (isWithinShare()) break;
        const longest = group.reduce((most, { waiting }) => Math.max(most, waiting), 0);
        const deliveries = Math.floor(longest * keep);
        let last: Removal | undefined;
        for (const stream of group) {
          if (isWithinShare()) break;
          if (stream.waiting <= deliveries) continue;
          last = this.#trim(stream, { deliveries, may }, last);
          yield;
        }
      }
    this.#dropping.delete(namespace);
  }

  /** Whether it holds more than its share of a nearly full backlog. */
  #isOverShare(namespace: string): boolean {
    return this.#bytes.held(namespace) > this.#bytes.limit - this.#bytes.total;
  }
}

/** Sinks with at least this part of the bytes of the largest of them lose deliveries together with it. */
const ALIKE = 7 / 8;

/** The steps: what may be dropped, and how much of the longest stream each stream may keep. The ends of runs go last. */
const STEPS: readonly { readonly may: Expendable; readonly keep: number }[] = [
  ...(['progress', 'beginnings'] as const).flatMap((may) => [1 / 2, 1 / 8, 0].map((keep) => ({ may, keep }))),
  ...[1 / 2, 1 / 8, 0].map((keep) => ({ may: 'all' as const, keep })),
];

/** The streams in groups of sinks with about the same number of bytes. The largest group comes first. */
function largestFirst(streams: Iterable<Stream>): readonly (readonly Stream[])[] {
  const sinks = new Map<string, { bytes: number; readonly streams: Stream[] }>();
  for (const stream of [...streams].sort((a, b) => b.log.bytes - a.log.bytes)) {
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

/** What a stream may keep, and what may be dropped. */
interface Bounds {
  readonly deliveries: number;
  readonly bytes?: number;
  readonly may?: Expendable;
}

/** What to drop so that at most this many deliveries and bytes are left. */
function surplusOf(stream: Stream, { deliveries, bytes = Infinity, may }: Bounds): Removal {
  const { log, tried } = stream;
  const candidates = log.waitingOf(stream).filter((entry) => entry !== tried);
  const gone = new Set<LogEntry>();
  let left = stream.waiting;
  let leftBytes = stream.bytes;
  for (const entry of dropOrder(candidates, may)) {
    // A single delivery stays, however large it is.
    if (left <= deliveries && (leftBytes <= bytes || left === 1)) break;
    gone.add(entry);
    left--;
    leftBytes -= entry.bytes;
  }
  return log.removalOf(stream, (entry) => gone.has(entry));
}
