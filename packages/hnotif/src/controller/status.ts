import type { Settlement } from '../dispatch/delivery.ts';
import type { Condition, Notification, NotificationStatus, SinkStatus } from '../resources/notification.ts';

/** What a look at a sink's secret found. */
export type SinkCheck =
  | { readonly ok: true; readonly notes: readonly string[] }
  /** CamelCase `reason`; `message` says what to do and never holds a credential. */
  | { readonly ok: false; readonly reason: string; readonly message: string };

/** What a notification's status is made of. */
export interface Standing {
  readonly notification: Notification;
  /** Plans that the selector matches now. */
  readonly matched: number;
  /** By sink; undefined until all sinks of this generation have been looked at. */
  readonly checks: ReadonlyMap<string, SinkCheck> | undefined;
  /** What became of deliveries, by sink. */
  readonly sinks: ReadonlyMap<string, SinkStatus>;
}

/** RFC 3339 in UTC with seconds, as Kubernetes writes times. */
export const kubernetesTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/**
 * The status to be written, from what is known: pure. A condition's transition time moves only with its status.
 */
export function statusOf(standing: Standing, now: number): NotificationStatus {
  const { notification, matched, checks, sinks } = standing;
  const status: NotificationStatus = {
    matched,
    sinks: notification.sinks.map(({ name }) => sinks.get(name) ?? { name, consecutiveFailures: 0 }),
  };
  if (checks === undefined) return status;
  const before = notification.status.conditions?.find((condition) => condition.type === 'Ready');
  const ready = readyCondition(notification, checks);
  const lastTransitionTime =
    before?.status === ready.status ? before.lastTransitionTime : kubernetesTime(now);
  const observedGeneration = notification.generation;
  return {
    ...status,
    observedGeneration,
    conditions: [{ ...ready, lastTransitionTime, observedGeneration }],
  };
}

function readyCondition(
  notification: Notification,
  checks: ReadonlyMap<string, SinkCheck>,
): Pick<Condition, 'type' | 'status' | 'reason' | 'message'> {
  const faults: string[] = [];
  const notes: string[] = [];
  const reasons = new Set<string>();
  for (const { name } of notification.sinks) {
    const check = checks.get(name);
    if (check === undefined) continue;
    if (check.ok) notes.push(...check.notes.map((note) => `sink ${name}: ${note}`));
    else {
      reasons.add(check.reason);
      faults.push(`sink ${name}: ${check.message}`);
    }
  }
  const [reason] = reasons;
  if (reason !== undefined) {
    const word = reasons.size === 1 ? reason : 'SinksNotReady';
    return { type: 'Ready', status: 'False', reason: word, message: faults.join('; ') };
  }
  const count = notification.sinks.length;
  const all = `${count === 1 ? 'the sink is' : `all ${count} sinks are`} ready`;
  return { type: 'Ready', status: 'True', reason: 'SinksReady', message: [all, ...notes].join('; ') };
}

/** A sink's status after one of its deliveries has settled. A drop says nothing about the receiver. */
export function afterSettlement(before: SinkStatus, settlement: Settlement, now: number): SinkStatus {
  const { name, consecutiveFailures, lastSuccess, lastFailure } = before;
  switch (settlement.result) {
    case 'delivered':
      return {
        name,
        consecutiveFailures: 0,
        lastSuccess: kubernetesTime(now),
        ...(lastFailure && { lastFailure }),
      };
    case 'failed':
      return {
        name,
        consecutiveFailures: consecutiveFailures + 1,
        ...(lastSuccess && { lastSuccess }),
        lastFailure: kubernetesTime(now),
        reason: settlement.reason,
        message: settlement.message,
      };
    case 'dropped':
      return before;
  }
}
