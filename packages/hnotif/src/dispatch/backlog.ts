import type { Clock } from '../clock.ts';
import { Share } from '../fair/share.ts';
import { SINKS } from '../sinks/registry.ts';
import { inSlices, laterInSlices, Repeated } from '../slices.ts';
import { expire } from './expiry.ts';
import type { Limits } from './limits.ts';
import type { Acceptance, LogEntry, Routed } from './log-entry.ts';
import { PlanLog } from './plan-log.ts';
import type { LivePlan } from './delivery.ts';
import { dropOrder, type Expendable } from './drop-order.ts';
import { OVERFLOW, SUPERSEDED } from './reasons.ts';
import { suits, type Removal } from './removal.ts';
import type { Sender } from './sender.ts';
import type { SinkWaits } from './sink-waits.ts';
import type { Stream } from './stream.ts';

/** A full stream or backlog is freed by this part, so that the next event finds room. */
const HEADROOM = 1 / 8;

/** A sink is slow if its oldest delivery of a plan has waited for this time (milliseconds). */
const SLOW_MS = 30_000;

/** The longest time between two searches for deliveries that are too old (milliseconds). One may become too old by this much. */
const EXPIRY_MS = 60_000;

export interface BacklogOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly sender: Pick<Sender, 'drop'>;
  readonly waits: Pick<SinkWaits, 'start' | 'stop'>;
}

/**
 * The logs of all plans and their limits: the size of a stream, the bytes of all logs, which namespaces share, and the age of a delivery.
 * Only a full stream and a namespace over its share lose deliveries for lack of space.
 */
export class Backlog {
  readonly #options: BacklogOptions;
  /** By namespace. */
  readonly #logs = new Map<string, Set<PlanLog>>();
  readonly #bytes: Share;
  /** Streams that may be over their limits. */
  readonly #full = new Set<Stream>();
  /** Namespaces whose deliveries are being dropped. */
  readonly #dropping = new Set<string>();
  readonly #expiry: Repeated;
  #deliveries = 0;
  #isClosed = false;

  constructor(options: BacklogOptions) {
    const { clock, limits } = (this.#options = options);
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

  /** The logs of plans with deliveries that wait. */
  *logs(): Iterable<PlanLog> {
    for (const logs of this.#logs.values()) yield* logs;
  }

  /** A new log for a plan. */
  open(plan: LivePlan): PlanLog {
    const { namespace } = plan.current;
    let isTracked = false;
    const log: PlanLog = new PlanLog(plan, (deliveries, bytes) => {
      this.#deliveries += deliveries;
      if (this.#deliveries === 0) this.#rest();
      if (bytes > 0) this.#bytes.take(namespace, bytes);
      else if (bytes < 0) this.#bytes.give(namespace, -bytes);
      if (isTracked !== log.isEmpty) return;
      isTracked = !isTracked;
      this.#track(log);
    });
    return log;
  }

  /** Appends events to a log, and brings its streams and its namespace back within their limits. */
  append(log: PlanLog, routed: readonly Routed[], by: Acceptance): void {
    const { clock, limits, waits } = this.#options;
    if (log.append(routed, by) === 0) return;
    if (!this.#isClosed) {
      this.#expiry.start();
      waits.start();
    }
    const areTrimmed = this.#full.size > 0;
    for (const stream of log.streams.values())
      if (isOver(stream.waiting, stream.bytes, limits)) this.#full.add(stream);
    // Thousands of events may have been appended in this turn.
    if (!areTrimmed && this.#full.size > 0) void laterInSlices(clock, this.#trimAll());
    this.#enforceShare(log.namespace);
  }

  /**
   * For a log that is too large to be stored: halves each stream that is more than half as long as the longest one. False: nothing was
   * dropped.
   */
  halveLongest(log: PlanLog): boolean {
    const longest = Math.max(0, ...[...log.streams.values()].map(({ waiting }) => waiting));
    let lost = false;
    for (const stream of [...log.streams.values()])
      if (stream.waiting > longest / 2)
        lost = this.#trim(stream, { deliveries: Math.max(1, Math.floor(stream.waiting / 2)) }) || lost;
    return lost;
  }

  /** Nothing is sent any more: nothing becomes too old. */
  close(): void {
    this.#isClosed = true;
    this.#expiry.stop();
  }

  /** Nothing waits. */
  #rest(): void {
    this.#expiry.stop();
    this.#options.waits.stop();
  }

  *#expire(): Generator<undefined, boolean> {
    const { clock, limits, sender } = this.#options;
    yield* expire([...this.logs()], limits, clock.monotonic(), sender);
    return this.#deliveries > 0 && !this.#isClosed;
  }

  *#trimAll(): Generator<undefined, void> {
    // Most sinks of a plan wait for the same events, so the same events are dropped from each of them.
    const last = new Map<Expendable, Removal>();
    for (const stream of this.#full) {
      for (const may of ['superseded', 'all'] as const) {
        const known = last.get(may);
        if (known !== undefined && suits(known, stream)) this.#drop(stream, known, may);
        const bounds = this.#boundsOf(stream);
        if (bounds === undefined) continue;
        const removal = this.#surplus(stream, { ...bounds, may });
        this.#drop(stream, removal, may);
        last.set(may, removal);
      }
      this.#full.delete(stream);
      yield;
    }
  }

  /** How much a full stream may keep; undefined: it is not full. */
  #boundsOf(stream: Stream): Bounds | undefined {
    const { limits } = this.#options;
    const { waiting, bytes } = stream;
    if (!isOver(waiting, bytes, limits)) return undefined;
    if (this.#isSwift(stream))
      return bytes > limits.swiftStreamBytes
        ? { deliveries: waiting, bytes: limits.swiftStreamBytes * (1 - HEADROOM) }
        : undefined;
    const { streamDeliveries, streamBytes } = limits;
    return {
      deliveries:
        waiting > streamDeliveries ? streamDeliveries - Math.floor(streamDeliveries * HEADROOM) : waiting,
      bytes: bytes > streamBytes ? streamBytes * (1 - HEADROOM) : bytes,
    };
  }

  /** Whether the sink of a stream takes messages as fast as they come. */
  #isSwift(stream: Stream): boolean {
    if (SINKS[stream.sinkType].isRateLimited || stream.isHindered) return false;
    const { since = Infinity } = stream.log.first(stream) ?? {};
    return this.#options.clock.monotonic() - since < SLOW_MS;
  }

  /** Drops deliveries of the classes `may` until at most `deliveries` are left. False: nothing was dropped. */
  #trim(stream: Stream, bounds: Bounds & { readonly may?: Expendable }): boolean {
    return this.#drop(stream, this.#surplus(stream, bounds), bounds.may);
  }

  /** What to drop so that at most this many deliveries and bytes are left. */
  #surplus(
    stream: Stream,
    { deliveries, bytes = Infinity, may }: Bounds & { readonly may?: Expendable },
  ): Removal {
    const { tried } = stream;
    const candidates = stream.log.waitingOf(stream).filter((entry) => entry !== tried);
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
    return stream.log.removalOf(stream, (entry) => gone.has(entry));
  }

  #drop(stream: Stream, removal: Removal, may: Expendable | undefined): boolean {
    if (removal.gone.length === 0) return false;
    const end = may === 'superseded' ? SUPERSEDED : OVERFLOW;
    this.#options.sender.drop(stream, stream.removeAs(removal), end);
    return true;
  }

  /** Drops deliveries of a namespace that is over its share, from the sinks that hold most of them. */
  #enforceShare(namespace: string): void {
    if (this.#dropping.has(namespace) || !this.#isOverShare(namespace)) return;
    this.#dropping.add(namespace);
    void inSlices(this.#options.clock, this.#dropUntilShared(namespace));
  }

  *#dropUntilShared(namespace: string): Generator<undefined, void> {
    const goal = this.#bytes.held(namespace) * (1 - HEADROOM);
    const isWithinShare = (): boolean => this.#bytes.held(namespace) <= goal && !this.#isOverShare(namespace);
    const streams = [...(this.#logs.get(namespace) ?? [])].flatMap((log) => [...log.streams.values()]);
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
        for (const stream of group) {
          if (isWithinShare()) break;
          if (stream.waiting <= deliveries) continue;
          this.#trim(stream, { deliveries, may });
          yield;
        }
      }
    this.#dropping.delete(namespace);
  }

  /** Whether it holds more than its share of a nearly full backlog. */
  #isOverShare(namespace: string): boolean {
    return this.#bytes.held(namespace) > this.#bytes.limit - this.#bytes.total;
  }

  #track(log: PlanLog): void {
    const { namespace } = log;
    const logs = this.#logs.get(namespace) ?? new Set();
    if (log.isEmpty) logs.delete(log);
    else logs.add(log);
    if (logs.size > 0) this.#logs.set(namespace, logs);
    else this.#logs.delete(namespace);
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

/** What a stream may keep. */
interface Bounds {
  readonly deliveries: number;
  readonly bytes?: number;
}

const isOver = (deliveries: number, bytes: number, { streamDeliveries, streamBytes }: Limits): boolean =>
  deliveries > 1 && (deliveries > streamDeliveries || bytes > streamBytes);
