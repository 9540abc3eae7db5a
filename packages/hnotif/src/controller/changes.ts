import { isDeepStrictEqual } from 'node:util';
import type { ReflectorHandler } from '../cluster/reflector.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { Notification, SinkEntry } from '../resources/notification.ts';
import type { Plan } from '../resources/plan.ts';
import type { Routes } from '../routing/routes.ts';
import type { GracePeriods } from './grace-periods.ts';
import type { Intake } from './intake.ts';
import type { Sinks } from './sinks.ts';
import type { StatusTracker } from '../status/status-tracker.ts';

/** Who is told of changes. */
export interface Parts {
  readonly routes: Routes;
  readonly sinks: Pick<Sinks, 'keep'>;
  readonly statusTracker: Pick<StatusTracker, 'set' | 'delete' | 'rematched'>;
  readonly dispatcher: Pick<Dispatcher, 'renewed'>;
  readonly intake: Pick<Intake, 'changed' | 'deleted' | 'subscribed'>;
  readonly gracePeriods: Pick<GracePeriods, 'left' | 'back'>;
  /** Nothing more is written to the status of a notification that is gone. */
  readonly forgetStatus: (notification: Notification) => void;
}

/** What a change of a notification does. `isListed`: whether the first list has been told. */
export function notificationChanges(
  parts: Parts,
  isListed: () => boolean,
): Omit<ReflectorHandler<Notification>, 'synced'> {
  const { routes, statusTracker, intake, forgetStatus } = parts;
  return {
    changed(notification, previous) {
      routes.setNotification(notification);
      release(parts, notification, previous?.sinks ?? [], notification.sinks);
      renew(parts, notification, previous?.sinks ?? []);
      statusTracker.set(notification, isListed());
      // Plans of the first list get their journals when they come.
      if (isListed() && previous?.generation !== notification.generation)
        intake.subscribed(notification.namespace);
    },
    deleted(notification) {
      routes.deleteNotification(notification.namespace, notification.name);
      statusTracker.delete(notification);
      forgetStatus(notification);
      release(parts, notification, notification.sinks, []);
    },
  };
}

/** What a change of a plan does: first its events, for nothing that goes wrong with a status may cost one. */
export function planChanges(parts: Parts, isListed: () => boolean): Omit<ReflectorHandler<Plan>, 'synced'> {
  const { routes, statusTracker, intake } = parts;
  const rematched = (notifications: readonly Notification[]): void => {
    for (const { namespace, name } of notifications) statusTracker.rematched(namespace, name);
  };
  return {
    changed(plan, previous) {
      const known = !isListed();
      const others = routes.setPlan(plan);
      intake.changed(plan, known);
      // The counts of a first list are made at its end, all at once.
      if (known) return;
      rematched(others);
      if (!isDeepStrictEqual(plan.labels, previous?.labels)) rematched(routes.withoutPlan(plan.namespace));
    },
    deleted(plan) {
      const others = routes.deletePlan(plan.namespace, plan.name);
      intake.deleted(plan);
      // Another plan may be the nearest now.
      rematched(others);
      rematched(routes.withoutPlan(plan.namespace));
    },
  };
}

/** Sinks that are other ones now: what is parked may go there. */
function renew(
  { dispatcher }: Parts,
  { namespace, name, sinks }: Notification,
  before: readonly SinkEntry[],
): void {
  for (const entry of sinks) {
    const known = before.find((other) => other.name === entry.name);
    if (known !== undefined && !isDeepStrictEqual(known, entry))
      dispatcher.renewed({ namespace, notification: name, sink: entry.name });
  }
}

/** Sinks that a notification no longer lists: nothing of them is kept, and before long nothing waits for them. */
function release(
  { sinks, gracePeriods }: Parts,
  { namespace, name }: Notification,
  before: readonly SinkEntry[],
  after: readonly SinkEntry[],
): void {
  sinks.keep({ namespace, name }, after);
  for (const { name: sink } of after) gracePeriods.back({ namespace, notification: name, sink });
  for (const { name: sink } of before)
    if (!after.some((entry) => entry.name === sink))
      gracePeriods.left({ namespace, notification: name, sink });
}
