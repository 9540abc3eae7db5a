import type { Delivery } from './delivery.ts';
import { report } from './listener.ts';
import { isEnd, type LogEntry } from './log-entry.ts';
import type { Shared } from './options.ts';
import { type End, SUSPENDED } from './reasons.ts';
import type { SinkQueue } from './sink-queue.ts';
import { held, parked, TOLD_AFTER } from './sink-waits.ts';
import { IDLE, type Stage } from './states.ts';
import type { Step } from './step.ts';
import type { Stream } from './stream.ts';

/** An attempt that has a result. */
interface Settled {
  readonly queue: SinkQueue;
  readonly stream: Stream;
  readonly head: Delivery;
  /** The number of pauses of the queue when it began. */
  readonly pauses: number;
  readonly stage: Stage;
}

/** Reports how deliveries ended, which have left the log. */
export interface Reports {
  report(stream: Stream, events: readonly LogEntry[], end: End): void;
}

/** The only place that carries out what follows an attempt. */
export function settle(attempt: Settled, step: Step, shared: Shared, reports: Reports): void {
  const { queue, stream, head, pauses } = attempt;
  const { clock, rateLimits } = shared;
  if (attempt.stage.kind === 'request' && 'wait' in step) head.requests?.continues(step.wait);
  switch (step.kind) {
    case 'end':
      if (step.isTaken) taken(attempt, shared);
      if (stream.head !== head) return; // It was dropped meanwhile.
      // The stream continues with the next one.
      stream.log.settle(stream, head.entry);
      stream.state = IDLE;
      reports.report(stream, [head.entry], step.end);
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
      sendFailed(attempt, shared, false);
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
      sendFailed(attempt, shared, begun);
      return;
    }
    case 'suspended':
      if (stream.head === head) suspend(attempt, step.sendsEndsInMs, shared, reports);
      return;
    case 'stop':
      stream.state = IDLE;
      return;
  }
}

/** The receiver takes messages: closes the circuit, or widens the queue. */
function taken({ queue, head, pauses }: Settled, { clock, listener }: Shared): void {
  const { admission } = queue;
  if (admission.kind !== 'parked') {
    queue.widen(pauses);
    return;
  }
  queue.closeCircuit();
  report(listener, 'circuitClosed', head.to, queue.waiting - 1, clock.monotonic() - admission.began);
}

function sendFailed({ queue, stream, head }: Settled, { clock, listener }: Shared, begun: boolean): void {
  const wait = parked(queue, clock.monotonic()) ?? held(stream);
  if (wait !== undefined) report(listener, 'sendFailed', head, { ...wait, begun });
}

/**
 * Drops the deliveries that wait in a stream of a suspended notification, also its head. It drops them all at once: this takes one
 * write of the journal, not one for each delivery. With `sendsEndsInMs`, the ends of runs wait until the suspension is over.
 */
function suspend(
  { queue, stream }: Settled,
  sendsEndsInMs: number | undefined,
  { clock }: Shared,
  reports: Reports,
): void {
  stream.state = IDLE;
  reports.report(
    stream,
    stream.remove((entry) => sendsEndsInMs === undefined || !isEnd(entry)),
    SUSPENDED,
  );
  if (stream.waiting === 0 || sendsEndsInMs === undefined) {
    queue.tidy(stream);
    return;
  }
  queue.blocked = TOLD_AFTER;
  stream.hold(clock, sendsEndsInMs, { isSuspended: true });
}
