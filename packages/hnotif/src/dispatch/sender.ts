import { Attempt } from './attempt.ts';
import { report } from './listener.ts';
import type { LogEntry } from './log-entry.ts';
import type { Shared } from './options.ts';
import { messageOf, type End } from './reasons.ts';
import type { Reports } from './settle.ts';
import type { SinkQueue } from './sink-queue.ts';
import { SinkQueues } from './sink-queues.ts';
import type { Stream } from './stream.ts';

/** Begins attempts for the heads of streams, and reports how deliveries end. */
export class Sender implements Reports {
  readonly queues: SinkQueues;
  readonly #shared: Shared;

  constructor(shared: Shared) {
    this.#shared = shared;
    this.queues = new SinkQueues(shared.clock, shared.limits.requestsPerSink, this);
  }

  /** Stops sending: aborts the requests in flight. An answer that has already come still counts. */
  close(): void {
    this.#shared.rateLimits.slots.close();
    for (const queue of this.queues.all()) queue.close();
  }

  /** An attempt for the head of a stream; undefined: it has none. */
  attempt(queue: SinkQueue, stream: Stream): Attempt | undefined {
    const head = stream.begin();
    return head && new Attempt(this.#shared, this, queue, stream, head);
  }

  /** Deliveries of a stream were dropped. */
  drop(stream: Stream, gone: readonly LogEntry[], end: End): void {
    this.report(stream, gone, end);
    this.queues.wake(stream);
  }

  report(stream: Stream, events: readonly LogEntry[], end: End): void {
    const [first] = events;
    const last = events.at(-1);
    if (first === undefined || last === undefined) return;
    const { clock, listener } = this.#shared;
    const { to, sinkType, log } = stream;
    const now = clock.monotonic();
    const { isDegraded = false, requestCount = 0, requests } = stream.takeHead(events) ?? {};
    try {
      listener.settled({
        to,
        sinkType,
        plan: log.plan,
        result: end.result,
        reason: 'reason' in end ? end.reason : '',
        message: messageOf(end),
        events,
        event: last,
        ...{ isDegraded, requestCount },
        ...(requests && { requests: requests.until(now) }),
        delayMs: now - first.since,
      });
    } catch (error) {
      report(listener, 'fault', error);
    }
    if (end.result === 'failed' || end.result === 'dropped') this.#waitUntilPersisted(stream);
  }

  /** A failure is stored before the stream continues. Otherwise a restart would send it again, after later deliveries. */
  #waitUntilPersisted(stream: Stream): void {
    const persisted = this.#shared.persisted?.(stream.log.planUid);
    if (persisted === undefined) return;
    stream.unpersisted++;
    void persisted.then(() => {
      stream.unpersisted--;
      if (!this.#shared.rateLimits.slots.isClosed) this.queues.wake(stream);
    });
  }
}
