import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { Journals } from '../journal/journals.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { TemplatePool } from '../render/pool.ts';
import type { Routes } from '../routing/routes.ts';
import type { Standings } from './standings.ts';

/** Gauges that are read when somebody looks: keeping them up to date would cost each delivery. */
export function showGauges(
  metrics: Metrics,
  dispatcher: Dispatcher,
  routes: Routes,
  journals: Journals,
  standings: Pick<Standings, 'notReady'>,
  templates: Pick<TemplatePool, 'held'>,
): void {
  metrics.onScrape(() => {
    const queue = dispatcher.stats();
    metrics.queueDeliveries.set(queue.deliveries);
    metrics.queueBytes.set(queue.bytes);
    metrics.queueStreams.set(queue.streams);
    for (const kind of ['parked', 'quarantined'] as const)
      metrics.sinksParked.set({ kind }, queue.parked[kind]);
    metrics.requestsInFlight.set(queue.inFlight);
    metrics.sinksHeld.reset();
    for (const labels of queue.overShare) metrics.sinksHeld.inc(labels);
    for (const [namespace, sinks] of templates.held)
      metrics.sinksHeld.set({ namespace, reason: 'TemplatesWaited' }, sinks);
    metrics.journals.set(journals.size);
    metrics.journalDeliveries.set(journals.pending);
    metrics.plansUndurable.reset();
    for (const [reason, plans] of journals.undurable) metrics.plansUndurable.set({ reason }, plans);
    metrics.plans.set(routes.plans);
    metrics.notifications.set(routes.notifications);
    metrics.notReady.set(standings.notReady);
    metrics.matches.set(routes.matches);
  });
}
