import type { SinkAddress } from '@hnotif/core/resources';
import { inSlices } from '../slices.ts';
import { Backlog } from './backlog.ts';
import type { LivePlan, SinkWait } from './delivery.ts';
import type { Acceptance, LogEntry, Routed } from './log-entry.ts';
import type { DispatcherOptions } from './options.ts';
import type { PlanLog } from './plan-log.ts';
import { SHUTDOWN, UNSUBSCRIBED } from './reasons.ts';
import { Sender } from './sender.ts';
import type { SinkQueue } from './sink-queue.ts';
import type { SinkQueues } from './sink-queues.ts';
import { waitOf } from './sink-waits.ts';
import { IDLE } from './states.ts';

export type { SinkResolution } from './options.ts';

/** A sink whose deliveries wait, and why. */
export interface LeftSink {
  readonly to: SinkAddress;
  readonly wait: SinkWait;
}

/** How long aborted requests may take to end (milliseconds). */
const ABORT_MS = 1_000;

/**
 * Sends the events in the logs of plans. Each stream is sent in order, independent of the others. Everything is bounded and shared
 * fairly between namespaces. It holds its state only in memory.
 */
export class Dispatcher {
  readonly #shared: DispatcherOptions;
  readonly #sender: Sender;
  readonly #queues: SinkQueues;
  readonly #backlog: Backlog;
  readonly #aborted = new AbortController();

  constructor(options: DispatcherOptions) {
    this.#shared = options;
    this.#sender = new Sender(options);
    this.#queues = this.#sender.queues;
    this.#backlog = new Backlog(options, this.#sender);
  }

  /** A new log for a plan. Events that `append` adds to it are sent once they are released. */
  open(plan: LivePlan): PlanLog {
    return this.#backlog.open(plan);
  }

  /** Appends events to the log of their plan. Synchronous, bounded, no I/O. The listener gets what is dropped for lack of space. */
  append(log: PlanLog, routed: readonly Routed[], by: Acceptance): void {
    this.#backlog.append(log, routed, by);
  }

  /** Events up to this position may be sent. */
  release(log: PlanLog, upTo: number): void {
    const streams = log.release(upTo);
    const { clock, rateLimits } = this.#shared;
    if (!rateLimits.slots.isClosed) void inSlices(clock, this.#queues.released(streams));
  }

  /** For a log that is too large to be stored: drops half of its longest streams. False: nothing was dropped. */
  halveLongest(log: PlanLog): boolean {
    return this.#backlog.halveLongest(log);
  }

  /** A sink is deleted: drops its deliveries at once, even during a pause. Requests in flight are finished. */
  unsubscribe(to: SinkAddress): void {
    const queue = this.#queues.find(to);
    if (queue === undefined) return;
    queue.forget();
    for (const stream of [...queue.streams.values()]) {
      const { inFlight } = stream;
      const gone = stream.remove((entry) => entry !== inFlight);
      this.#sender.drop(stream, gone, UNSUBSCRIBED);
    }
    this.#queues.schedule(queue);
  }

  /** The configuration of a sink has changed: tries the deliveries that wait because of the old one. */
  configurationChanged(to: SinkAddress): void {
    this.#queues.find(to)?.configurationChanged();
  }

  /** Why deliveries of a sink wait, and until when; undefined: none waits for long. `isLate`: short waits count, too. */
  waitOf(to: SinkAddress, isLate = false): SinkWait | undefined {
    const queue = this.#queues.find(to);
    return queue && waitOf(this.#shared, queue, isLate);
  }

  /** The sinks whose deliveries wait for longer than a moment. */
  waits(): ReturnType<SinkQueues['waits']> {
    return this.#queues.waits();
  }

  /** `inFlight`: requests. */
  stats(): Readonly<Record<'deliveries' | 'bytes' | 'streams' | 'inFlight', number>> {
    const { deliveries, bytes } = this.#backlog;
    let streams = 0;
    let inFlight = 0;
    for (const queue of this.#queues.all()) {
      streams += queue.streams.size;
      inFlight += queue.requests;
    }
    return { deliveries, bytes, streams, inFlight };
  }

  /** The sinks whose deliveries would be sent in the next `ms`, but wait for a moment. Those with the most come first. */
  sending(ms: number): readonly LeftSink[] {
    const deadline = this.#shared.clock.monotonic() + ms;
    return this.#left((queue) => !queue.restsUntil(deadline));
  }

  /**
   * Continues to send for at most `ms`, until nothing more can be sent in that time (parked and held deliveries are not waited for), or
   * until `hurry` aborts. Then aborts the requests in flight. The rest stays in the logs: see `dropRest`. Resolves with the sinks that have
   * deliveries left.
   */
  async drain(ms: number, hurry?: AbortSignal): Promise<readonly LeftSink[]> {
    const deadline = this.#shared.clock.monotonic() + ms;
    const signals = [this.#aborted.signal, ...(hurry === undefined ? [] : [hurry])];
    await this.#queues.until((queue) => queue.restsUntil(deadline), ms, signals);
    // Before the requests in flight are aborted: an abort is not a reason for a wait.
    const left = this.#left(() => true);
    this.#close();
    // An answer that has already come still counts.
    await this.#queues.until((queue) => queue.attempts.size === 0, ABORT_MS, [this.#aborted.signal]);
    return left.flatMap(({ to, wait }) => {
      const waiting = this.#queues.find(to)?.waiting ?? 0;
      return waiting === 0 ? [] : [{ to, wait: { ...wait, waiting } }];
    });
  }

  /** After a drain: drops the deliveries that are left and not stored for the next process, as `shutdown`. Returns their number. */
  dropRest(isStored: (log: PlanLog, entry: LogEntry) => boolean = () => false): number {
    let dropped = 0;
    for (const log of [...this.#backlog.logs()])
      for (const stream of [...log.streams.values()]) {
        const gone = stream.remove((entry) => !isStored(log, entry));
        stream.state = IDLE;
        dropped += gone.length;
        this.#sender.report(stream, gone, SHUTDOWN);
      }
    this.#queues.clear();
    return dropped;
  }

  /** Stops at once: aborts all requests and reports nothing more, not even answers that have come. For a process that must not continue. */
  abort(): void {
    this.#close();
    for (const queue of this.#queues.all())
      for (const stream of queue.streams.values()) {
        stream.state = IDLE;
        stream.head = undefined;
      }
    this.#queues.clear();
    this.#aborted.abort();
  }

  #close(): void {
    this.#queues.stopChecks();
    this.#backlog.close();
    this.#sender.close();
  }

  /** The sinks whose deliveries wait, if only for a moment. Those with the most come first. */
  #left(of: (queue: SinkQueue) => boolean): readonly LeftSink[] {
    const left = [...this.#queues.all()].filter(of).flatMap((queue) => {
      const [stream] = queue.streams.values();
      const wait = waitOf(this.#shared, queue, true);
      return stream && wait ? [{ to: stream.to, wait: { ...wait, waiting: queue.waiting } }] : [];
    });
    return left.sort((a, b) => b.wait.waiting - a.wait.waiting);
  }
}
