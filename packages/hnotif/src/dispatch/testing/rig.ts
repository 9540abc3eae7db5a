import { setMaxListeners } from 'node:events';
import type { LifecycleEvent } from '@hnotif/core/lifecycle';
import type { Outcome } from '@hnotif/core/sinks';
import { ABORTED, type Attempt, type Delivery, type ReadySink } from '../../../../core/src/sinks/sink.ts';
import { ManualClock } from '../../../../core/src/testing/clock.ts';
import { aPlan } from '../../../../core/src/testing/plans.ts';
import { aReadySink, bareView } from '../../../../core/src/testing/sinks.ts';
import type { Destination, LivePlan, FailedSend, Settlement } from '../delivery.ts';
import { Dispatcher, type SinkResolution } from '../dispatcher.ts';
import { LIMITS, type Limits } from '../limits.ts';
import { requestLimits } from '../request-slots.ts';
import type { Acceptance, LoggedEvent } from '../log-entry.ts';
import type { PlanLog } from '../plan-log.ts';

export const ready = { kind: 'ready', plan: bareView, template: undefined, degradation: undefined } as const;
export const delivered: Outcome = { kind: 'delivered', status: 200 };
export const down: Outcome = { kind: 'transient', reason: 'ServerError', message: 'HTTP 500' };

/** A dispatcher whose receiver is a function, and all that it reported. */
export function rig(
  answer: (delivery: Delivery, attempt: Attempt) => Outcome | Promise<Outcome>,
  options: {
    limits?: Partial<Limits>;
    resolve?: (
      delivery: Destination & { event: LoggedEvent },
    ) => SinkResolution | Promise<SinkResolution> | undefined;
    sink?: Partial<ReadySink>;
    kept?: (planUid: string) => Promise<void> | undefined;
  } = {},
) {
  const clock = new ManualClock();
  const limits = { ...LIMITS, ...options.limits };
  const settled: Settlement[] = [];
  const faults: unknown[] = [];
  const degradations: string[] = [];
  const setbacks: FailedSend[] = [];
  const released: string[] = [];
  const waits: string[] = [];
  const requests: string[] = [];
  const dispatcher = new Dispatcher({
    clock,
    limits,
    persisted: options.kept,
    resolve: (delivery) =>
      options.resolve?.(delivery) ?? {
        ...ready,
        sink: aReadySink({
          origin: `https://${delivery.to.sink}`,
          ...options.sink,
          deliver: async (delivery, attempt) => {
            if (!(await attempt.slot())) return ABORTED;
            requests.push(`${delivery.sinkName}/${delivery.event.planUid}/${delivery.event.seq}`);
            return answer(delivery, attempt);
          },
        }),
      },
    rateLimits: requestLimits(clock, limits),
    listener: {
      settled: (settlement) => settled.push(...settlement.events.map((event) => ({ ...settlement, event }))),
      attempted: () => undefined,
      degraded: (_, { reason }) => degradations.push(reason),
      sendFailed: (_, failure) => setbacks.push(failure),
      waits: (to, { kind, reason, waiting }, begun) =>
        waits.push(`${to.sink} ${kind} ${reason} ${waiting}${begun ? '' : ' still'}`),
      resumed: (to) => waits.push(`${to.sink} flows`),
      circuitClosed: (to, waiting, forMs) => released.push(`${to.sink} ${waiting} ${forMs}`),
      fault: (error) => faults.push(error),
    },
  });
  const logs = new Map<string, PlanLog>();
  /** The event is accepted, and may be sent. Here each stream has its own log. */
  const submit = (
    event: LifecycleEvent,
    sink = 's',
    { namespace = 'team-a', ...more }: Partial<Acceptance & { plan: LivePlan; namespace: string }> = {},
  ): void => {
    const name = { notification: 'n', sink, type: 'webhook' } as const;
    const key = `${namespace} ${sink} ${event.planUid}`;
    const plan = more.plan ?? { current: aPlan({ namespace, uid: event.planUid }) };
    const log = logs.get(key) ?? dispatcher.open(plan);
    logs.set(key, log);
    const { acceptedAt = clock.now() } = more;
    const age = Math.max(0, clock.now() - acceptedAt);
    const by = { acceptedAt, since: clock.monotonic() - age, restored: false, ...more };
    dispatcher.append(log, [{ event, to: [name] }], by);
    dispatcher.release(log, log.newest?.at ?? 0);
  };
  /** Drains, then drops all that is left. */
  const stop = async (ms: number, hurry?: AbortSignal): Promise<void> => {
    await dispatcher.drain(ms, hurry);
    dispatcher.dropRest();
  };
  const results = () => settled.map(({ event, result, reason }) => `${event.seq} ${result} ${reason}`.trim());
  return {
    clock,
    dispatcher,
    submit,
    stop,
    settled,
    results,
    requests,
    faults,
    degradations,
    setbacks,
    released,
    waits,
  };
}

/** Never answers. Ends when it is aborted, as a sink must. */
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
