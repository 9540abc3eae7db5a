import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { Journals } from '../journal/journals.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Routes } from '@hnotif/core/routing';
import type { StatusTracker } from '../status/status-tracker.ts';
import type { Watches } from './watches.ts';

/** Sets the gauges at each scrape. To update them at each delivery would cost more. */
export function showGauges(
  metrics: Metrics,
  dispatcher: Dispatcher,
  routes: Routes,
  journals: Journals,
  statusTracker: Pick<StatusTracker, 'notReady'>,
  watches: Pick<Watches, 'failing'>,
): void {
  metrics.onScrape(() => {
    const queue = dispatcher.stats();
    metrics.queueDeliveries.set(queue.deliveries);
    metrics.queueBytes.set(queue.bytes);
    metrics.queueStreams.set(queue.streams);
    metrics.sinksWaiting.reset();
    for (const { to, wait } of dispatcher.waits()) {
      const { namespace, notification } = to;
      metrics.sinksWaiting.inc({ namespace, notification, state: wait.kind, reason: wait.reason });
    }
    metrics.requestsInFlight.set(queue.inFlight);
    metrics.journals.set(journals.size);
    metrics.journalDeliveries.set(journals.pending);
    metrics.plansUndurable.reset();
    for (const [reason, plans] of journals.undurable) metrics.plansUndurable.set({ reason }, plans);
    metrics.plans.set(routes.plans);
    metrics.notifications.set(routes.notifications);
    metrics.notReady.set(statusTracker.notReady);
    metrics.unserved.set(watches.failing.size);
    metrics.matches.set(routes.matches);
  });
}
