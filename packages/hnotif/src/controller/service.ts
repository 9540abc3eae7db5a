import { abortAfter } from '@hnotif/core/clock';
import type { Checks } from '../observe/health.ts';
import type { NamespaceScope } from '@hnotif/core/resources';
import { notificationChanges, planChanges } from './changes.ts';
import type { Totals } from './delivery-reporter.ts';
import { showGauges } from './gauges.ts';
import { waitingFor } from './left-sinks.ts';
import type { LastWrites } from './last-writes.ts';
import type { Pipeline, ServiceDeps } from './parts.ts';
import { buildPipeline } from './pipeline.ts';

/** What a leader does: it makes messages from changes of plans. */
export class Service {
  /** Resolves when notifications, journals and plans have been listed. */
  readonly synced: Promise<void>;
  readonly #deps: ServiceDeps;
  readonly #parts: Pipeline;
  /** Deliveries that the next process finds in journals. */
  #left: number | undefined;

  /** Starts without waiting for the cluster. */
  constructor(deps: ServiceDeps) {
    this.#deps = deps;
    this.#parts = buildPipeline(deps);
    const { dispatcher, journals, routes, statusTracker, watches, watchHealth } = this.#parts;
    showGauges(deps.metrics, dispatcher, routes, journals, statusTracker, watches);
    this.synced = watches.allListed();
    watches.start({
      notifications: notificationChanges(this.#parts),
      plans: planChanges(this.#parts),
      journals,
      listed: (scope) => {
        this.#listed(scope);
      },
    });
    watchHealth.start((scope) => {
      statusTracker.changed(scope);
    });
  }

  /** For `/readyz`. */
  get checks(): Checks {
    return this.#parts.watches.checks;
  }

  /** How deliveries have ended. */
  get totals(): Totals {
    return this.#parts.reporter.totals;
  }

  /** Deliveries that wait in journals. */
  get pending(): number {
    return this.#left ?? this.#parts.journals.pending;
  }

  /** Resolves when this version of a plan was seen, and its events were kept and handed to the dispatcher. */
  seen(namespace: string, plan: string, resourceVersion: string): Promise<void> {
    return this.#parts.intake.seen(namespace, plan, resourceVersion);
  }

  /** Takes no more changes, sends what can be sent, writes, ends. The next process sends the rest. */
  async stop(hurry: AbortSignal, last: LastWrites): Promise<void> {
    const { events, journals, statuses, templates, threads } = this.#parts;
    const { drainTimeoutMs } = this.#deps.options;
    const began = this.#deps.clock.monotonic();
    await this.#drain(began + drainTimeoutMs, hurry);
    last.drained(began, drainTimeoutMs);
    // An update of a root waits until its state is stored.
    await last.wait('roots', hurry, () => Promise.all([journals.flush(), threads.roots.idle()]));
    await last.wait('journals', hurry, () => journals.flush());
    this.#dropRest();
    this.#left = journals.pending;
    this.#close();
    await last.wait('statuses', hurry, (enough) =>
      Promise.all([statuses.close(enough), events.close(enough)]),
    );
    await templates.close();
  }

  /** Ends at once: nothing more is sent or written. */
  async abort(): Promise<void> {
    const { dispatcher, events, intake, statuses, templates, watches } = this.#parts;
    const enough = AbortSignal.abort();
    // First: the other parts give them their last statuses and notes when they close.
    const writers = [statuses.close(enough), events.close(enough)];
    dispatcher.abort();
    intake.close();
    this.#close();
    await Promise.all([...writers, watches.stop(), templates.close()]);
  }

  #listed(scope: NamespaceScope): void {
    const { journals, routes, statusTracker } = this.#parts;
    const { client, log } = this.#deps;
    const { plans, notifications } = routes;
    journals.allSeen(scope);
    const counts = { plans, notifications, waiting: journals.restored };
    log.info({ ...counts, cluster: client.source, ...(scope && { namespace: scope }) }, 'serving');
    statusTracker.changed(scope);
  }

  /** Ends the reflectors, keeps what was accepted, and sends it until the deadline (monotonic milliseconds). */
  async #drain(deadline: number, hurry: AbortSignal): Promise<void> {
    const { dispatcher, intake, journals, statusTracker, watches } = this.#parts;
    const { clock, log } = this.#deps;
    const timeout = new AbortController();
    const cancel = abortAfter(clock, deadline - clock.monotonic(), timeout);
    await watches.stop();
    intake.close();
    // Only kept events are sent. An API server that is away has until the deadline to come back.
    await journals.storeAll(AbortSignal.any([hurry, timeout.signal]));
    const rest = Math.max(0, deadline - clock.monotonic());
    const sending = dispatcher.sending(rest);
    const seconds = Math.round(rest / 1000);
    if (sending.length > 0) log.info({ ...waitingFor(sending), seconds }, 'the stop waits for deliveries');
    const left = await dispatcher.drain(rest, hurry);
    if (left.length > 0) log.warn(waitingFor(left), 'the stop leaves deliveries');
    statusTracker.stopped(left);
    cancel();
  }

  /** Drops deliveries that no journal has. */
  #dropRest(): void {
    const { dispatcher, journals } = this.#parts;
    const deliveries = dispatcher.dropRest(
      ({ planUid }, entry) => journals.of(planUid)?.stores(entry) === true,
    );
    if (deliveries > 0)
      this.#deps.log.error(
        { deliveries },
        'deliveries lost: they were not sent, and no journal could be written',
      );
  }

  /** Closes every part but the dispatcher. */
  #close(): void {
    const all = this.#parts;
    const senders = [all.replays, all.repairs, all.threads, all.rateLimits];
    const reports = [all.reporter, all.series, all.watchHealth, all.gracePeriods, all.statusTracker];
    for (const part of [...senders, ...reports, all.journals]) part.close();
  }
}
