import { isDeepStrictEqual } from 'node:util';
import type { Changes } from '../cluster/store.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { Notification, SinkEntry, Plan } from '@hnotif/core/resources';
import type { Routes } from '@hnotif/core/routing';
import type { GracePeriods } from './grace-periods.ts';
import type { Intake } from './intake.ts';
import type { Replays } from './replays.ts';
import type { SinkResolver } from './sink-resolver.ts';
import type { StatusTracker } from '../status/status-tracker.ts';
import type { Watches } from './watches.ts';

/** The parts that react to changes. */
interface ChangeParts {
  /** Whether the first lists are complete. */
  readonly watches: Pick<Watches, 'isListed'>;
  readonly routes: Routes;
  readonly sinks: Pick<SinkResolver, 'forget'>;
  readonly statusTracker: Pick<StatusTracker, 'set' | 'delete' | 'rematched'>;
  readonly dispatcher: Pick<Dispatcher, 'configurationChanged'>;
  readonly intake: Pick<Intake, 'changed' | 'deleted' | 'subscribed'>;
  readonly gracePeriods: Pick<GracePeriods, 'left' | 'back'>;
  readonly replays: Pick<Replays, 'changed' | 'deleted'>;
}

/** What a change of a notification does. */
export function notificationChanges(parts: ChangeParts): Changes<Notification> {
  const { routes, statusTracker, intake, replays, watches } = parts;
  return {
    changed(notification, previous) {
      routes.setNotification(notification);
      release(parts, notification, previous?.sinks ?? [], notification.sinks);
      renew(parts, notification, previous);
      const isListed = watches.isListed('notifications', notification.namespace);
      statusTracker.set(notification, isListed);
      // Plans are listed later, and get their journals then.
      if (isListed && previous?.generation !== notification.generation) intake.subscribed(notification);
      replays.changed(notification);
    },
    deleted(notification) {
      routes.deleteNotification(notification.namespace, notification.name);
      statusTracker.delete(notification);
      replays.deleted(notification);
      release(parts, notification, notification.sinks, []);
    },
  };
}

/** What a change of a plan does. Events come first: an error in a status must not cost one. */
export function planChanges({ routes, statusTracker, intake, watches }: ChangeParts): Changes<Plan> {
  const rematched = (notifications: readonly Notification[]): void => {
    for (const { namespace, name } of notifications) statusTracker.rematched(namespace, name);
  };
  return {
    changed(plan, previous) {
      const known = !watches.isListed('plans', plan.namespace);
      const others = routes.setPlan(plan);
      intake.changed(plan, known);
      // Matches are counted once at the end of the first list.
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

/** Tries parked deliveries again where the entry of a sink has changed, or a suspension: what waits because of it may be due. */
function renew(
  { dispatcher }: ChangeParts,
  { namespace, name, sinks, suspension, muteSchedule }: Notification,
  before: Notification | undefined,
): void {
  const wasSilent = before?.suspension !== undefined || before?.muteSchedule !== undefined;
  const isFreed =
    wasSilent && !isDeepStrictEqual([before.suspension, before.muteSchedule], [suspension, muteSchedule]);
  for (const entry of sinks) {
    const known = before?.sinks.find((other) => other.name === entry.name);
    if (known !== undefined && (isFreed || !isDeepStrictEqual(known, entry)))
      dispatcher.configurationChanged({ namespace, notification: name, sink: entry.name });
  }
}

/** Sinks that the notification no longer lists: their configurations are dropped, and their deliveries after a grace period. */
function release(
  { sinks, gracePeriods }: ChangeParts,
  { namespace, name }: Notification,
  before: readonly SinkEntry[],
  after: readonly SinkEntry[],
): void {
  for (const { name: sink } of after) gracePeriods.back({ namespace, notification: name, sink });
  for (const { name: sink } of before) {
    if (after.some((entry) => entry.name === sink)) continue;
    const to = { namespace, notification: name, sink };
    sinks.forget(to);
    gracePeriods.left(to);
  }
}
