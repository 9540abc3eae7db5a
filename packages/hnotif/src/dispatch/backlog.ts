import type { Clock } from '../clock.ts';
import { Share } from '../fair/share.ts';
import { inSlices, laterInSlices } from '../slices.ts';
import type { Limits } from './limits.ts';
import type { LogEntry } from './log-entry.ts';
import { PlanLog } from './plan-log.ts';
import type { LivePlan, LoggedEvent } from './delivery.ts';
import { OVERFLOW, SUPERSEDED, type End } from './reasons.ts';
import { suits, type Removal } from './removal.ts';
import type { Stream } from './stream.ts';

/** A full stream or backlog is freed by this part, so that the next event finds room. */
const HEADROOM = 1 / 8;

export interface BacklogOptions {
  readonly limits: Pick<Limits, 'backlogBytes' | 'streamBytes' | 'streamDeliveries' | 'swiftStreamBytes'>;
  readonly clock: Clock;
  /** Whether the sink of the stream takes no messages now: its circuit is open, it is paused, or its last request has failed. */
  readonly isHindered: (stream: Stream) => boolean;
  /** Whether the sink of the stream takes messages as fast as they come. */
  readonly isSwift: (stream: Stream) => boolean;
  /** These deliveries of the stream were dropped. */
  readonly dropped: (stream: Stream, gone: readonly LogEntry[], end: End) => void;
}

/**
 * The logs of all plans and their limits: the size of a stream, and the bytes of all logs, which namespaces share. Only a
 * full stream and a namespace over its share lose deliveries.
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
      if (bytes > 0) this.#bytes.take(namespace, bytes);
      else if (bytes < 0) this.#bytes.give(namespace, -bytes);
      if (isTracked !== log.isEmpty) return;
      isTracked = !isTracked;
      this.#track(log);
    });
    return log;
  }

  /** Events were appended to the log: brings its streams and its namespace back within their limits. */
  enforceLimits(log: PlanLog): void {
    const { clock, limits } = this.#options;
    const areTrimmed = this.#full.size > 0;
    for (const stream of log.streams.values())
      if (isOver(stream.waiting, stream.bytes, limits)) this.#full.add(stream);
    // Thousands of events may have been appended in this turn.
    if (!areTrimmed && this.#full.size > 0) void laterInSlices(clock, this.#trimAll());
    this.#enforceShare(log.namespace);
  }

  /**
   * For a log that is too large to be stored: of the sinks that take no messages now, halves each stream that is more than half as long
   * as the longest one; of all sinks, if those have nothing to lose. False: nothing was dropped.
   */
  halveLongest(log: PlanLog): boolean {
    const streams = [...log.streams.values()];
    return this.#halve(streams.filter(this.#options.isHindered)) || this.#halve(streams);
  }

  #halve(streams: readonly Stream[]): boolean {
    const longest = Math.max(0, ...streams.map(({ waiting }) => waiting));
    let lost = false;
    for (const stream of streams)
      if (stream.waiting > longest / 2)
        lost = this.#trim(stream, { deliveries: Math.max(1, Math.floor(stream.waiting / 2)) }) || lost;
    return lost;
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
    const { limits, isSwift } = this.#options;
    const { waiting, bytes } = stream;
    if (!isOver(waiting, bytes, limits)) return undefined;
    if (isSwift(stream))
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
    this.#options.dropped(stream, stream.removeAs(removal), end);
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
    const { isHindered } = this.#options;
    const streams = [...(this.#logs.get(namespace) ?? [])].flatMap((log) => [...log.streams.values()]);
    const hindered = new Set(streams.filter(isHindered));
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

const isOver = (
  deliveries: number,
  bytes: number,
  { streamDeliveries, streamBytes }: BacklogOptions['limits'],
): boolean => deliveries > 1 && (deliveries > streamDeliveries || bytes > streamBytes);

type Droppable = Pick<LoggedEvent, 'kind' | 'run' | 'targetExecution'>;

/** What may be dropped: superseded progress; all progress and phase changes; Starts and Recoveries as well; or all. */
export type Expendable = 'superseded' | 'progress' | 'beginnings' | 'all';

const CLASSES: Readonly<Record<Expendable, number>> = { superseded: 1, progress: 3, beginnings: 6, all: 7 };

/**
 * The order in which the deliveries of a full stream are dropped. Within a class the oldest goes first:
 *
 * 1. progress that newer progress of its target and run supersedes, 2. other progress, 3. phase changes,
 * 4. Recoveries that a newer one of their run supersedes, 5. Start and Recovery of runs whose Success or Failure waits too,
 * 6. other Starts and Recoveries, 7. Success and Failure.
 *
 * `waiting` is in the order of acceptance, without a head that has been tried. `may`: the classes that may be dropped.
 */
export function dropOrder<T extends Droppable>(waiting: readonly T[], may: Expendable = 'all'): readonly T[] {
  const newest = new Map<string, T>();
  const recovery = new Map<number, T>();
  const ended = new Set<number>();
  for (const event of waiting) {
    if (event.kind === 'ExecutionProgress') newest.set(targetOf(event), event);
    else if (event.kind === 'Recovery') recovery.set(event.run, event);
    else if (event.kind === 'Success' || event.kind === 'Failure') ended.add(event.run);
  }
  const classOf = (event: T): number => {
    switch (event.kind) {
      case 'ExecutionProgress':
        return newest.get(targetOf(event)) === event ? 1 : 0;
      case 'PhaseChange':
        return 2;
      case 'Recovery':
        if (recovery.get(event.run) !== event) return 3;
        return ended.has(event.run) ? 4 : 5;
      case 'Start':
        return ended.has(event.run) ? 4 : 5;
      case 'Success':
      case 'Failure':
        return 6;
    }
  };
  const classes: T[][] = [[], [], [], [], [], [], []];
  for (const event of waiting) classes[classOf(event)]?.push(event);
  return classes.slice(0, CLASSES[may]).flat();
}

const targetOf = ({ run, targetExecution }: Droppable): string => `${run} ${targetExecution?.name ?? ''}`;
