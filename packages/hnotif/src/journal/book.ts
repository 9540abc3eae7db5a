import type { LifecycleEvent } from '../lifecycle/event.ts';
import type { Observed } from '../lifecycle/observed.ts';
import type { SinkType } from '../resources/kinds.ts';
import { partsOfRootKey } from '../sinks/teamchat/thread/root.ts';
import type { RootRecord } from '../sinks/teamchat/thread/store.ts';

/** A sink of the plan's namespace: with the plan it is a stream. */
export interface StreamName {
  readonly notification: string;
  readonly sink: string;
  /** When the event was accepted: for metrics. */
  readonly type: SinkType;
}

/** An accepted event, and the streams in which it still waits. */
export interface Entry {
  readonly event: LifecycleEvent;
  /** Milliseconds since the epoch. */
  readonly acceptedAt: number;
  /** The same in monotonic milliseconds; undefined: an earlier process accepted it. */
  readonly since: number | undefined;
  readonly waits: Map<string, StreamName>;
}

/** How one delivery ended. */
export interface Outcome {
  /** RFC 3339. */
  readonly at: string;
  readonly seq: number;
  readonly event: string;
  /** `notification/sink` */
  readonly stream: string;
  readonly result: string;
  /** `''` where the result says all. */
  readonly reason: string;
}

/** For whoever looks at a journal: `2026-01-05T20:00:00.000Z #12 Success night/ops delivered`. */
const lineOf = ({ at, seq, event, stream, result, reason }: Outcome): string =>
  `${at} #${seq} ${event} ${stream} ${result}${reason === '' ? '' : ` ${reason}`}`;

/** How many outcomes are kept. */
const OUTCOMES = 20;
/** Roots that are kept for one sink of a plan: a night and a morning are two, and a cycle may be run again. */
const ROOTS_PER_SINK = 8;
/** …and of all sinks together: those that come and go leave theirs behind. */
const ROOTS = 256;

export const streamKey = ({ notification, sink }: Pick<StreamName, 'notification' | 'sink'>): string =>
  `${notification}/${sink}`;

/** All that is kept of one plan: what was observed of it, what waits to be delivered, where its threads stand. */
export class Book {
  readonly entries = new Map<number, Entry>();
  /** By root key, the one that was saved last at the end. */
  readonly roots = new Map<string, RootRecord>();
  /** A line each, the newest at the end. */
  outcomes: string[] = [];
  observed: Observed;

  constructor(observed: Observed) {
    this.observed = observed;
  }

  /** How many deliveries wait. */
  get pending(): number {
    let pending = 0;
    for (const { waits } of this.entries.values()) pending += waits.size;
    return pending;
  }

  /** `since`: monotonic milliseconds, where this process accepts it. */
  add(event: LifecycleEvent, acceptedAt: number, to: readonly StreamName[], since?: number): void {
    const waits = new Map(to.map((stream) => [streamKey(stream), stream]));
    this.entries.set(event.seq, { event, acceptedAt, since, waits });
  }

  /** A delivery has ended. False: it did not wait here. */
  settle(event: LifecycleEvent, stream: string): boolean {
    const entry = this.entries.get(event.seq);
    if (entry?.event.id !== event.id || !entry.waits.delete(stream)) return false;
    if (entry.waits.size === 0) this.entries.delete(event.seq);
    return true;
  }

  tell(outcome: Outcome): void {
    this.outcomes.push(lineOf(outcome));
    if (this.outcomes.length > OUTCOMES) this.outcomes.shift();
  }

  /** Keeps a root; the one that was saved longest ago goes where there are too many, of the same sink or of all. */
  keepRoot(key: string, record: RootRecord): void {
    this.roots.delete(key);
    this.roots.set(key, record);
    const { sink } = partsOfRootKey(key);
    const ofSink = [...this.roots.keys()].filter((other) => partsOfRootKey(other).sink === sink);
    const [ofAll = ''] = this.roots.keys();
    if (this.roots.size > ROOTS) this.roots.delete(ofAll);
    const [oldest = ''] = ofSink;
    if (ofSink.length > ROOTS_PER_SINK) this.roots.delete(oldest);
  }

  /** Forgets all roots but the newest of each sink. False: there were no others. */
  thinRoots(): boolean {
    const before = this.roots.size;
    const newest = new Map([...this.roots.keys()].map((key) => [partsOfRootKey(key).sink, key]));
    for (const key of this.roots.keys())
      if (newest.get(partsOfRootKey(key).sink) !== key) this.roots.delete(key);
    return this.roots.size < before;
  }
}
