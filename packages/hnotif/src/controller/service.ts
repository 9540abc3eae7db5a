import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { KubeClient } from '../cluster/client.ts';
import { ContentReader } from '../cluster/contents.ts';
import { EventRecorder, type Regarding } from '../cluster/events.ts';
import { JournalStore, type Written } from '../cluster/journals.ts';
import { StatusWriter } from '../cluster/status.ts';
import { Dispatcher } from '../dispatch/dispatcher.ts';
import type { PlanLog } from '../dispatch/plan-log.ts';
import { RateLimiter } from '../dispatch/rate-limiter.ts';
import { Journals } from '../journal/journals.ts';
import type { JournalObjectOptions } from '../journal/journal-object.ts';
import type { Checks } from '../observe/health.ts';
import type { Metrics } from '../observe/metrics.ts';
import { TemplatePool } from '../render/pool.ts';
import { API_VERSION, journalsOf, notificationsOf } from '../resources/group.ts';
import type { Writer } from '../resources/journal.ts';
import type { Plan } from '../resources/plan.ts';
import type { SinkAddress } from '../resources/sink-address.ts';
import { Routes } from '../routing/routes.ts';
import { rootStore, staleRoot } from '../sinks/teamchat/thread/root-store.ts';
import { Threads } from '../sinks/teamchat/thread/threads.ts';
import type { Transport } from '../transport/client.ts';
import { connectionLimit } from '../transport/connection-limit.ts';
import { VERSION } from '../version.ts';
import { notificationChanges, planChanges, type Parts } from './changes.ts';
import { ConnectorRights } from './connectors.ts';
import { WatchHealth } from './watch-health.ts';
import { showGauges } from './gauges.ts';
import { GracePeriods } from './grace-periods.ts';
import { Intake } from './intake.ts';
import type { LastWrites } from './last-writes.ts';
import type { ControllerOptions } from './options.ts';
import { Repairs } from './repairs.ts';
import { DeliveryReporter, type Totals } from './delivery-reporter.ts';
import { MetricSeries } from './metric-series.ts';
import { Sinks } from './sinks.ts';
import { StatusTracker } from './status-tracker.ts';
import { Watches } from './watches.ts';

export interface ServiceDeps {
  readonly options: ControllerOptions;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly client: KubeClient;
  readonly transport: Transport;
  /** Who we are, and in which term we lead. */
  readonly writer: Writer;
  /** When hnotif was first installed here (milliseconds since the epoch), where that is known. */
  readonly installedAt: number | undefined;
  /** A journal names a later term: where the Lease has moved, the process is ended by this. */
  readonly fenced: JournalObjectOptions['fenced'];
  /** Whether journals that cannot be written may make us deliver from memory. */
  readonly mayLose: () => boolean;
}

/** What a leader does: from the plans' changes to messages. */
export interface Service {
  /** Resolves once notifications, journals and plans have been listed. */
  readonly synced: Promise<void>;
  readonly checks: Checks;
  /** Resolves once this state of a plan has been seen, and its events kept and handed over. */
  seen(namespace: string, plan: string, resourceVersion: string): Promise<void>;
  totals(): Totals;
  /** Deliveries that wait in journals. */
  pending(): number;
  /** Takes nothing more in, sends what can be sent, writes, ends. What is left is the next process's. */
  stop(hurry: AbortSignal, last: LastWrites): Promise<void>;
  /** Ends at once: nothing more is sent or written. */
  abort(): Promise<void>;
}

/** Secrets and config maps that several sinks share are read once in this time (milliseconds). */
const SHARED_CONTENT_MS = 1_000;

/** What looks for the `Ready` condition may take of the requests to the API server; the rest is for what is to be sent. */
const LOOKS_SHARE = 1 / 2;

/** What journals for which nobody waits may take of it. */
const LAZY_SHARE = 1 / 2;

/** A plan is news to who meets it without a journal for so long after it was created (milliseconds). */
const NEWS_MS = 3_600_000;

/** Begins to serve, without waiting for the cluster. */
export function startService(deps: ServiceDeps): Service {
  const { options, clock, log, metrics, client, transport, writer } = deps;
  /** What another process goes on from is dated by the API server's clock: those of machines may differ by hours. */
  const { serverClock } = client;
  const notificationType = notificationsOf(options.apiGroup);
  const statuses = new StatusWriter({
    client,
    clock,
    log,
    intervalMs: options.statusIntervalMs,
    result: (result) => {
      metrics.statusWrites.inc({ result });
    },
  });
  const events = new EventRecorder({
    ...{ client, clock, log },
    dropped: (reason) => {
      metrics.kubeEventsDropped.inc({ reason });
    },
  });

  const isListed = ({ namespace, notification, sink }: SinkAddress): boolean =>
    watches.notifications.get(namespace, notification)?.sinks.some(({ name }) => name === sink) === true;
  const routes = new Routes();
  const { chatApiUrl, botApiUrl } = options;
  const templates = new TemplatePool({ clock });
  const permits = new RateLimiter(clock);
  const regarding = ({ namespace, notification: name }: SinkAddress): Regarding | undefined => {
    const uid = watches.notifications.get(namespace, name)?.uid;
    const apiVersion = `${options.apiGroup}/${API_VERSION}`;
    return uid === undefined ? uid : { apiVersion, kind: 'HibernateNotification', namespace, name, uid };
  };
  const warn = (to: SinkAddress, reason: string, message: string, cause: string): void => {
    const about = regarding(to);
    if (about !== undefined) events.warn(about, reason, message, `${to.sink}/${cause}`);
  };
  const report = new DeliveryReporter({
    clock,
    metrics,
    log,
    settled: (settlement) => {
      journals.settled(settlement);
      statusTracker.settled(settlement);
    },
    putOff: (to, setback) => {
      statusTracker.putOff(to, setback);
    },
    waits: (to) => {
      statusTracker.waits(to);
    },
    ended: (to, ended, at) => statusTracker.ended(to, ended, at),
    rejected: (to) => {
      sinks.rejected(to);
    },
    noticed: (to, event, notice) => {
      statusTracker.noticed(to, event, notice);
    },
    warn,
    inform: (to, reason, message) => {
      const about = regarding(to);
      if (about !== undefined) events.inform(about, reason, message, to.sink);
    },
  });
  const dispatcher: Dispatcher = new Dispatcher({
    clock,
    resolve: (destination) => sinks.resolve(destination),
    listener: report,
    permits,
    kept: (planUid) => journals.endsKept(planUid),
    blocked: (namespace) => templates.blocked(namespace),
    limits: {
      requests: connectionLimit(),
      maxAgeMs: options.maxAgeMs,
      maxAgeOfProgressMs: options.maxAgeOfProgressMs,
      ...options.limits,
    },
  });
  const store = new JournalStore(client, options.apiGroup);
  const journals: Journals = new Journals({
    ...{ clock, log, writer, dispatcher, instance: options.instance },
    now: () => serverClock.now(),
    // A single clock that was turned makes nothing older.
    ageOf: (at) => Math.min(serverClock.now(), clock.now()) - at,
    appended: (live, routed, restored) => {
      // A change may make thousands of events of one kind, all for the same hundreds of sinks.
      for (const [to, events] of grouped(routed, (each) => each.to)) {
        for (const [type, streams] of grouped(to, (stream) => stream.type))
          for (const [kind, { length }] of grouped(events, ({ event }) => event.kind))
            metrics.submitted.inc({ sink_type: type, event: kind }, length * streams.length);
        // What an earlier process left: since when its sink is gone is not known, and it may be about to return.
        for (const stream of restored ? to : []) {
          const address = { ...stream, namespace: live.current.namespace };
          if (!isListed(address) && !gracePeriods.has(address)) gracePeriods.left(address);
        }
      }
    },
    lazyPerSecond: options.kubeQps * LAZY_SHARE,
    write: async (journal, signal) => {
      const written = await store.write(journal, signal);
      metrics.journalWrites.inc({ result: resultOf(written) });
      return written;
    },
    rebase: (uid, observed) => {
      intake.rebase(uid, observed);
    },
    rest: (ms, signal) => client.outage.wait(ms, signal),
    remove: async (journal, signal) => {
      const removed = await store.remove(journal, signal);
      metrics.journalWrites.inc({ result: resultOf(removed) });
      return removed;
    },
    remembered: (plan, at, value) => {
      const root = staleRoot(at, value);
      if (root !== undefined) repairs.add(plan, root);
    },
    ended: (to, ending) => {
      report.left(to, ending);
    },
    durable: (namespace, trouble) => {
      statusTracker.durable(namespace, trouble);
    },
    unreadable: ({ namespace, name, uid }, message) => {
      metrics.objectsUnreadable.inc({ resource: journalsOf(options.apiGroup).plural });
      const { group, version } = options.planResource;
      const plan = { apiVersion: `${group}/${version}`, kind: 'HibernatePlan', namespace, name, uid };
      events.warn(plan, 'JournalUnreadable', message, '');
    },
    released: ({ namespace, name }) => {
      const plan = watches.plans.get(namespace, name);
      if (plan !== undefined) intake.changed(plan, true);
    },
    fenced: deps.fenced,
    mayLose: deps.mayLose,
  });
  const threads: Threads = new Threads({
    ...{ clock: serverClock, rateLimits: permits, store: rootStore(journals), lateMs: options.lateMs },
  });
  const shared = { client, clock, ttlMs: Math.min(SHARED_CONTENT_MS, options.secretTtlMs) };
  const connectors = new ConnectorRights({
    policy: options.crossNamespaceConnectors,
    lookup: () => watches.connectors,
    log,
    warn: (to, reason, message) => {
      warn({ ...to, sink: '' }, reason, message, '');
    },
  });
  const sinks: Sinks = new Sinks({
    clock,
    secrets: new ContentReader('secrets', shared),
    templates: new ContentReader('configmaps', shared),
    deps: {
      transport,
      clock,
      version: VERSION,
      chatApiUrl,
      botApiUrl,
      templates,
      rateLimits: permits,
      threads,
    },
    notification: (namespace, name) => watches.notifications.get(namespace, name),
    view: (plan, to) => connectors.view(plan, to),
    ttlMs: options.secretTtlMs,
    mayReturn: (to) => gracePeriods.has(to),
    renewed: (to) => {
      statusTracker.renewed(to);
      dispatcher.renewed(to);
    },
  });
  const repairs = new Repairs((submission) => sinks.resolve(submission));
  const statusTracker = new StatusTracker({
    clock,
    log,
    matched: ({ namespace, name, status }) =>
      watches.plans.synced ? routes.matched(namespace, name) : (status.matched ?? 0),
    unmatched: ({ namespace, name }) =>
      watches.plans.synced ? routes.unmatched(namespace, name) : undefined,
    check: (to) => sinks.check(to),
    version: (to) => sinks.version(to),
    stall: (to) => dispatcher.stall(to),
    write: ({ namespace, name, uid }, status) => {
      statuses.set(notificationType, namespace, name, uid, status);
    },
    observed: ({ namespace, name, uid, status, resourceVersion }) => {
      statuses.observed(notificationType, namespace, name, uid, { status, resourceVersion });
    },
    checksPerSecond: options.kubeQps * LOOKS_SHARE,
    recheckUnreadyMs: options.recheckUnreadyMs,
    recheckReadyMs: options.recheckReadyMs,
  });
  const intake = new Intake({
    clock: serverClock,
    log,
    metrics,
    routes,
    journals,
    isNews: (plan) => isNews(plan, deps.installedAt, serverClock.now()),
    failureAfterMs: options.failureAfterMs,
    newEpoch: randomUUID,
  });
  const series = new MetricSeries({ clock, log, metrics, isListed });
  const gracePeriods = new GracePeriods(clock, options.unsubscribeAfterMs, (to) => {
    dispatcher.unsubscribe(to);
    report.forget(to);
    series.released();
  });
  const parts: Parts = {
    ...{ routes, sinks, statusTracker, dispatcher, intake, gracePeriods },
    forgetStatus: ({ namespace, name }) => {
      statuses.forget(notificationType, namespace, name);
    },
  };
  let opened: () => void;
  const synced = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const watches: Watches = new Watches({
    client,
    clock,
    log,
    metrics,
    apiGroup: options.apiGroup,
    planResource: options.planResource,
    notifications: notificationChanges(parts, () => watches.notifications.synced),
    journal: (journal) => journals.found(journal),
    journalsListed: () => {
      journals.allFound();
    },
    journalChanged: (journal) => {
      journals.changed(journal);
    },
    journalGone: (journal) => {
      journals.vanished(journal);
    },
    plans: {
      ...planChanges(parts, () => watches.plans.synced),
      synced() {
        const { plans, notifications } = routes;
        log.info({ plans, notifications, waiting: journals.restored, cluster: client.source }, 'serving');
        journals.allSeen();
        statusTracker.rematchedAll();
        repairs.begin();
        opened();
      },
    },
  });

  const following = new WatchHealth({
    clock,
    failing: () => watches.failing,
    isAway: () => client.outage.isAway,
    told: (why) => {
      statusTracker.unserved(why);
    },
  });
  showGauges(metrics, dispatcher, routes, journals, statusTracker);
  watches.start();
  following.start();

  /** Everything but what waits: that is drained or forgotten before. */
  const close = (): void => {
    threads.close();
    permits.close();
    report.close();
    series.close();
    following.close();
    gracePeriods.close();
    statusTracker.close();
    journals.close();
  };
  /** Of what a stop has left, that which stands in no journal. */
  const sayLost = (lost: ReadonlyMap<PlanLog, number>): void => {
    const counts = { orphans: 0, unwritten: 0 };
    for (const [{ planUid }, count] of lost) counts[journals.has(planUid) ? 'unwritten' : 'orphans'] += count;
    if (counts.orphans > 0)
      log.warn(
        { deliveries: counts.orphans },
        'deliveries lost: they waited, and their plans are gone, and the journals with them',
      );
    if (counts.unwritten > 0)
      log.error(
        { deliveries: counts.unwritten },
        'deliveries lost: they waited, and no journal could be written',
      );
  };
  /** Deliveries that are left to the next process. */
  let waiting: number | undefined;
  return {
    synced,
    checks: watches.checks,
    seen: (namespace, plan, resourceVersion) => intake.seen(namespace, plan, resourceVersion),
    totals: () => report.totals,
    pending: () => waiting ?? journals.pending,
    stop: async (hurry, last) => {
      const began = clock.monotonic();
      const drainTime = new AbortController();
      const cancel = clock.after(options.drainTimeoutMs, () => {
        drainTime.abort();
      });
      await watches.stop();
      intake.close();
      // Nothing is sent that is not kept: an API server that is away just now has the drain's time to come back.
      await journals.keep(AbortSignal.any([hurry, drainTime.signal]));
      const rest = Math.max(0, began + options.drainTimeoutMs - clock.monotonic());
      await dispatcher.drain(rest, hurry, {
        waits: (sinks) => {
          report.drains(sinks, rest);
        },
        left: (sinks) => {
          report.notSent(sinks);
        },
      });
      cancel();
      last.drained(began, options.drainTimeoutMs);
      await last.wait('roots', hurry, () => threads.idle());
      await last.wait('journals', hurry, () => journals.flush());
      sayLost(dispatcher.dropRest(({ planUid }, entry) => journals.keeps(planUid, entry)));
      waiting = journals.pending;
      close();
      await last.wait('statuses', hurry, (enough) =>
        Promise.all([statuses.close(enough), events.close(enough)]),
      );
      await templates.close();
    },
    abort: async () => {
      dispatcher.abort();
      intake.close();
      close();
      await Promise.all([watches.stop(), templates.close()]);
    },
  };
}

/** What stood there was read after a fault, or since somebody else had written. */
const resultOf = (written: Written): Written['kind'] =>
  written.kind === 'there' && written.fault !== undefined ? 'failed' : written.kind;

function isNews({ creationTimestamp }: Plan, installedAt: number | undefined, now: number): boolean {
  const created = Date.parse(creationTimestamp);
  return installedAt !== undefined && created > installedAt && now - created < NEWS_MS;
}

/** All of one kind together. */
function grouped<T, Kind>(all: readonly T[], kindOf: (each: T) => Kind): ReadonlyMap<Kind, readonly T[]> {
  const groups = new Map<Kind, T[]>();
  for (const each of all) {
    const kind = kindOf(each);
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [each]);
    else group.push(each);
  }
  return groups;
}
