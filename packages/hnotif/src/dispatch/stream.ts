import { momentOf, type Clock } from '@hnotif/core/clock';
import { type SinkType, sinkKey, type SinkAddress } from '@hnotif/core/resources';
import type { Cause, OnChange } from '@hnotif/core/sinks';
import type { Delivery } from './delivery.ts';
import type { LogEntry, StreamName } from './log-entry.ts';
import type { PlanLog } from './plan-log.ts';
import type { SinkQueue } from './sink-queue.ts';
import { BUSY, IDLE, type StreamState } from './states.ts';

interface HoldOptions {
  readonly why?: Cause | undefined;
  readonly isSuspended?: boolean;
  readonly onChange?: OnChange | undefined;
}

/** The same array for all: streams with the same array skip the same positions. */
const NO_SKIPS: readonly number[] = [];

/**
 * The deliveries of one notification, sink and plan. They are sent one at a time, in the order of acceptance. A stream is a cursor into the
 * log of its plan, with the ranges that it skips.
 */
export class Stream {
  readonly log: PlanLog;
  readonly to: SinkAddress;
  /** The name of its sink. Building it for each event would cost time. */
  readonly sink: string;
  readonly sinkType: SinkType;
  /** Position in the log: nothing before it waits in this stream. Set by the log. */
  cursor = 0;
  /** Positions after the cursor that were dropped: first and last of each range, ascending. Set by the log. */
  skips: readonly number[] = NO_SKIPS;
  /** Deliveries that wait, with the head. Set by the log. */
  waiting = 0;
  /** The bytes of their events, without target tables. Set by the log. */
  bytes = 0;
  /** The queue of its sink, set by `SinkQueues`. */
  queue: SinkQueue | undefined;
  /** Its first delivery, after an attempt has begun. */
  head: Delivery | undefined;
  /** Outcomes that must be stored before the next delivery begins. */
  unpersisted = 0;
  #state = IDLE;

  constructor(log: PlanLog, { notification, sink, type }: StreamName) {
    this.log = log;
    this.to = { namespace: log.namespace, notification, sink };
    this.sink = sinkKey(this.to);
    this.sinkType = type;
  }

  get state(): StreamState {
    return this.#state;
  }

  set state(state: StreamState) {
    if (this.#state.kind === 'held') this.#state.cancel();
    this.#state = state;
  }

  /** Whether its sink takes no messages now: its circuit is open, it is paused, or its last request has failed. */
  get isHindered(): boolean {
    const { admission, failure } = this.queue ?? {};
    return this.#state.kind === 'held' || failure !== undefined || (admission?.kind ?? 'open') !== 'open';
  }

  /** Its delivery in flight. */
  get inFlight(): LogEntry | undefined {
    return this.#state === BUSY ? this.head?.entry : undefined;
  }

  /** Why its deliveries wait; undefined: not known. */
  get lastCause(): Cause | undefined {
    const { admission } = this.queue ?? {};
    return admission === undefined || admission.kind === 'open' ? this.head?.failure : admission.why;
  }

  /** Whether nothing is sent before `deadline` (monotonic milliseconds). */
  restsUntil(deadline: number): boolean {
    if (this.#state.kind === 'held') return !this.#state.mayEnd && this.#state.until.monotonic > deadline;
    return this.#state === IDLE && this.unpersisted === 0;
  }

  isSkipped(at: number): boolean {
    const { skips } = this;
    let low = 0;
    let high = skips.length / 2;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((skips[2 * middle + 1] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low < skips.length / 2 && (skips[2 * low] ?? 0) <= at;
  }

  /** Entries after this position were removed from the log. */
  cutTo(end: number): void {
    this.cursor = Math.min(this.cursor, end + 1);
    this.skips = this.skipped()
      .filter(([first]) => first <= end)
      .flatMap(([first, last]) => [first, Math.min(last, end)]);
  }

  /** The ranges of positions that it skips. */
  skipped(): (readonly [first: number, last: number])[] {
    const ranges: (readonly [number, number])[] = [];
    for (let at = 0; at < this.skips.length; at += 2)
      ranges.push([this.skips[at] ?? 0, this.skips[at + 1] ?? 0]);
    return ranges;
  }

  /** Its oldest delivery that may be sent. */
  get oldest(): LogEntry | undefined {
    return this.head?.entry ?? this.log.next(this);
  }

  /** The log entry of its head, if that has been tried: the receiver may have it. */
  get tried(): LogEntry | undefined {
    const { head } = this;
    return head !== undefined && (this.#state === BUSY || head.requestCount > 0) ? head.entry : undefined;
  }

  /** The delivery that may begin now; undefined: there is none, it is not released, or an outcome has to be stored first. */
  get next(): LogEntry | undefined {
    return this.unpersisted > 0 ? undefined : this.log.next(this);
  }

  /** The head for an attempt; undefined: nothing may be sent. */
  begin(): Delivery | undefined {
    if (this.head !== undefined) return this.head;
    const { next: entry } = this;
    if (entry === undefined) return undefined;
    const { to, sinkType, log } = this;
    // No spread: it costs more than the rest of an attempt.
    return (this.head = {
      to,
      sinkType,
      plan: log.plan,
      event: log.eventOf(entry),
      entry,
      attempts: 0,
      arrivedBefore: 0,
      refusedAfter: undefined,
      failedSends: 0,
      failure: undefined,
      requestCount: 0,
      requests: undefined,
      isDegraded: false,
      progress: { level: 0, unclearSince: entry.restored ? entry.acceptedAt : undefined },
    });
  }

  /** Removes the deliveries for which `isGone` is true, the head as well. Returns them in order. */
  remove(isGone: (entry: LogEntry) => boolean): readonly LogEntry[] {
    return this.log.remove(this, this.log.removalOf(this, isGone));
  }

  /** Sends nothing for `ms`, or until the change. Other streams of its sink continue. */
  hold(clock: Clock, ms: number, { why, isSuspended = false, onChange }: HoldOptions): void {
    const end = (): void => {
      this.endHold();
    };
    const cancels = [clock.after(ms, end)];
    const cancel = (): void => {
      for (const each of cancels) each();
    };
    const mayEnd = onChange !== undefined;
    this.state = { kind: 'held', until: momentOf(clock, ms), mayEnd, why, isSuspended, cancel };
    if (onChange === undefined) return;
    // It may have changed already. Then the wait ends here.
    const forget = onChange(end);
    if (this.#state.kind === 'held') cancels.push(forget);
    else forget();
  }

  /** Continues now, if it is held. */
  endHold(): void {
    if (this.#state.kind === 'held') this.queue?.requeue(this);
  }

  /** Its head, if it is one of these deliveries, which have left the log: it is forgotten. An attempt in flight goes on. */
  takeHead(removed: readonly LogEntry[]): Delivery | undefined {
    const { head } = this;
    if (head === undefined || !removed.includes(head.entry)) return undefined;
    this.head = undefined;
    if (this.#state.kind === 'held') this.state = IDLE;
    return head;
  }
}
