import { setMaxListeners } from 'node:events';
import type { LifecycleEvent } from '../../lifecycle/event.ts';
import type { Outcome } from '../../sinks/outcome.ts';
import { CALLED_OFF, type Attempt, type Delivery, type ReadySink } from '../../sinks/sink.ts';
import { ManualClock } from '../../testing/clock.ts';
import { aPlan } from '../../testing/plans.ts';
import { aReadySink, bareView } from '../../testing/sinks.ts';
import { Buckets } from '../buckets.ts';
import type { Pause, Setback, Settlement, Submission } from '../delivery.ts';
import { Dispatcher, type Resolution } from '../dispatcher.ts';
import type { Limits } from '../limits.ts';

export const ready = { kind: 'ready', plan: bareView, template: undefined, notice: undefined } as const;
export const delivered: Outcome = { kind: 'delivered', status: 200 };
export const down: Outcome = { kind: 'transient', reason: 'ServerError', message: 'HTTP 500' };

/** A dispatcher whose receiver is a function, and everything that it told. */
export function rig(
  answer: (delivery: Delivery, attempt: Attempt) => Outcome | Promise<Outcome>,
  options: {
    limits?: Partial<Limits>;
    resolve?: (submission: Submission) => Resolution | undefined;
    sink?: Partial<ReadySink>;
  } = {},
) {
  const clock = new ManualClock();
  const settled: Settlement[] = [];
  const faults: unknown[] = [];
  const notices: string[] = [];
  const setbacks: Setback[] = [];
  const pauses: Pause[] = [];
  const released: string[] = [];
  const requests: string[] = [];
  const dispatcher = new Dispatcher({
    clock,
    limits: options.limits,
    resolve: (submission) =>
      options.resolve?.(submission) ?? {
        ...ready,
        sink: aReadySink({
          origin: `https://${submission.to.sink}`,
          ...options.sink,
          deliver: async (delivery, attempt) => {
            if (!(await attempt.slot())) return CALLED_OFF;
            requests.push(`${delivery.sinkName}/${delivery.event.planUid}/${delivery.event.seq}`);
            return answer(delivery, attempt);
          },
        }),
      },
    permits: new Buckets(clock),
    listener: {
      settled: (settlement) => settled.push(settlement),
      attempted: () => undefined,
      noticed: (_, { reason }) => notices.push(reason),
      putOff: (_, setback) => setbacks.push(setback),
      paused: (_, told) => pauses.push(told),
      released: (to, waiting, forMs) => released.push(`${to.sink} ${waiting} ${forMs}`),
      fault: (error) => faults.push(error),
    },
  });
  const submit = (event: LifecycleEvent, sink = 's', more: Partial<Submission> = {}) =>
    dispatcher.submit({
      to: addressOf(sink),
      sinkType: 'webhook',
      event,
      plan: { current: aPlan() },
      ...more,
    });
  const results = () => settled.map(({ event, result, reason }) => `${event.seq} ${result} ${reason}`.trim());
  return {
    clock,
    dispatcher,
    submit,
    settled,
    results,
    requests,
    faults,
    notices,
    setbacks,
    pauses,
    released,
  };
}

/** Never answers, but ends when it is aborted, as a sink must. */
export const hang = (_: Delivery, { signal }: Attempt) =>
  new Promise<Outcome>((resolve) => {
    setMaxListeners(0, signal);
    signal.addEventListener('abort', () => {
      resolve({ kind: 'aborted', reason: 'Aborted', message: '' });
    });
  });
export const pause = (retryAfterMs: number): Outcome => ({
  kind: 'throttled',
  reason: 'TooManyRequests',
  message: '',
  retryAfterMs,
});

export const addressOf = (sink: string) => ({ namespace: 'team-a', notification: 'n', sink });
