import { Attempt } from './attempt.ts';
import { report } from './listener.ts';
import { isEnd, type LogEntry } from './log-entry.ts';
import { madeRequests } from './made-requests.ts';
import type { DispatcherOptions } from './options.ts';
import { messageOf, SUSPENDED, type End } from './reasons.ts';
import type { SinkQueue } from './sink-queue.ts';
import { SinkQueues } from './sink-queues.ts';
import { held, parked, TOLD_AFTER } from './sink-waits.ts';
import { IDLE } from './states.ts';
import type { Step } from './step.ts';
import type { Stream } from './stream.ts';

/** Begins attempts for the heads of streams, carries out what follows, and reports how deliveries end. */
export class Sender {
  readonly queues: SinkQueues;
  readonly #shared: DispatcherOptions;

  constructor(shared: DispatcherOptions) {
    this.#shared = shared;
    this.queues = new SinkQueues(shared, this);
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

  /** The only place that carries out what follows an attempt. */
  settle(attempt: Attempt, step: Step): void {
    const { queue, stream, head, pauses } = attempt;
    const { clock, rateLimits } = this.#shared;
    switch (step.kind) {
      case 'end':
        if (step.isTaken) this.#taken(attempt);
        if (stream.head !== head) return; // It was dropped meanwhile.
        // The stream continues with the next one.
        stream.log.settle(stream, head.entry);
        stream.state = IDLE;
        this.report(stream, [head.entry], step.end);
        queue.tidy(stream);
        return;
      case 'continue':
        if (step.isTaken) queue.widen(pauses);
        if (step.anew) head.attempts = 0;
        // A delivery in several requests is finished first: a thread's root without its reply is useless.
        queue.queue(stream, true);
        return;
      case 'hold':
        head.attempts = step.attempts;
        stream.hold(clock, step.ms, { onChange: step.onChange });
        return;
      case 'fail':
        Object.assign(head, { attempts: 0, failedSends: head.failedSends + 1, failure: step.why });
        if (step.refused) head.refusedAfter = queue.arrived;
        stream.hold(clock, step.ms, { why: step.why });
        this.#sendFailed(attempt, false);
        return;
      case 'pause':
        for (const { key } of step.rates) rateLimits.pause(key, step.ms);
        queue.queue(stream, true);
        queue.pauseFor(step.ms, step.why, pauses);
        return;
      case 'park': {
        const begun = queue.park(stream, step.why, step.ms);
        head.attempts = 0;
        if (step.why.kind === 'quarantined') head.refusedAfter = queue.arrived;
        queue.queue(stream);
        this.#sendFailed(attempt, begun);
        return;
      }
      case 'suspended':
        if (stream.head === head) this.#suspend(attempt, step.sendsEndsInMs);
        return;
      case 'stop':
        stream.state = IDLE;
        return;
    }
  }

  /** The receiver takes messages: closes the circuit, or widens the queue. */
  #taken({ queue, head, pauses }: Attempt): void {
    const { clock, listener } = this.#shared;
    const { admission } = queue;
    queue.widen(pauses);
    if (admission.kind !== 'parked') return;
    queue.closeCircuit();
    report(listener, 'circuitClosed', head.to, queue.waiting - 1, clock.monotonic() - admission.began);
  }

  #sendFailed({ queue, stream, head }: Attempt, begun: boolean): void {
    const { clock, listener } = this.#shared;
    const wait = parked(queue, clock.monotonic()) ?? held(stream);
    if (wait !== undefined) report(listener, 'sendFailed', head, { ...wait, begun });
  }

  /**
   * Drops the deliveries that wait in a stream of a suspended notification, also its head. It drops them all at once: this takes one
   * write of the journal, not one for each delivery. With `sendsEndsInMs`, the ends of runs wait until the suspension is over.
   */
  #suspend({ queue, stream }: Attempt, sendsEndsInMs: number | undefined): void {
    stream.state = IDLE;
    const gone = stream.remove((entry) => sendsEndsInMs === undefined || !isEnd(entry));
    this.report(stream, gone, SUSPENDED);
    if (stream.waiting === 0 || sendsEndsInMs === undefined) {
      queue.tidy(stream);
      return;
    }
    queue.blocked = TOLD_AFTER;
    stream.hold(this.#shared.clock, sendsEndsInMs, { isSuspended: true });
  }

  /** Deliveries of a stream were dropped. */
  drop(stream: Stream, gone: readonly LogEntry[], end: End): void {
    this.report(stream, gone, end);
    this.queues.wake(stream);
  }

  /** Reports how these deliveries ended, which have left the log. */
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
        ...(requests && { requests: madeRequests(now, requests) }),
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
