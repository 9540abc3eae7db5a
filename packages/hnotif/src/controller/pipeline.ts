import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ContentReader } from '../cluster/content-reader.ts';
import { Dispatcher } from '../dispatch/dispatcher.ts';
import { type Limits, LIMITS } from '../dispatch/limits.ts';
import { requestLimits } from '../dispatch/request-slots.ts';
import { isOfOpenNight, staleRoot, Threads } from '@hnotif/core/sinks';
import { Journals } from '../journal/journals.ts';
import { TemplatePool } from '../template-pool/pool.ts';
import { defaultPlanResource, formatResourceType } from '@hnotif/core/resources';
import { Routes } from '@hnotif/core/routing';
import { StatusTracker } from '../status/status-tracker.ts';
import { connectionLimit } from '../transport/connection-limit.ts';
import { VERSION } from '@hnotif/core/version';
import { ConnectorRights } from './connectors.ts';
import { DeliveryReporter } from './delivery-reporter.ts';
import { Feedback } from './feedback.ts';
import { GracePeriods } from './grace-periods.ts';
import { Intake } from './intake.ts';
import { MetricSeries } from './metric-series.ts';
import { NotificationEvents } from './notification-events.ts';
import type { Pipeline, ServiceDeps } from './parts.ts';
import { Repairs } from './repairs.ts';
import { Replays } from './replays.ts';
import { SinkResolver } from './sink-resolver.ts';
import { WatchHealth } from './watch-health.ts';
import { Watches } from './watches.ts';
import { openWriters, type Writers } from './writers.ts';

/** A secret or config map that several sinks share is read once in this time (milliseconds). */
const SHARED_CONTENT_MS = 1_000;

/** The largest part of the requests to the API server that readiness checks may use. Deliveries need the rest. */
const CHECKS_SHARE = 1 / 2;

/** The largest part that journal writes without waiting deliveries may use. */
const LAZY_SHARE = 1 / 2;

/**
 * Makes the parts from the receivers to the plans, each after those that it calls: a wrong order does not compile. What a part reports to
 * parts after it goes through `Feedback`. Nothing is reported before the watches start.
 */
export function buildPipeline(deps: ServiceDeps): Pipeline {
  const { clock, log, metrics, client, leadership, options } = deps;
  const { apiGroup, failureAfterMs, planResource, watchNamespaces: namespaces } = options;
  const feedback = new Feedback(() => parts);
  const writers = openWriters(deps);
  const watches = new Watches({ client, clock, log, metrics, apiGroup, planResource, namespaces });
  const events = new NotificationEvents({
    ...{ recorder: writers.events, notifications: watches.notifications, apiGroup, planResource },
  });
  const gracePeriods = new GracePeriods(clock, options.unsubscribeAfterMs, feedback);
  const senders = openSenders(deps, { watches, gracePeriods }, events, feedback);
  const { dispatcher, sinks, threads } = senders;
  const journals = openJournals(deps, writers, dispatcher, feedback);
  const routes = new Routes();
  const watchHealth = new WatchHealth({ clock, watches, outage: client.outage });
  const serverNow = (): number => client.serverClock.now();
  const isDefault = isDeepStrictEqual(planResource, defaultPlanResource(apiGroup));
  const { instance, recheckReadyMs, recheckUnreadyMs } = options;
  const statusTracker = new StatusTracker({
    ...{ clock, log, routes, sinks, dispatcher, journals, instance, statuses: writers.statuses, serverNow },
    planResource: isDefault ? undefined : formatResourceType(planResource),
    isListed: (namespace) => watches.isListed('plans', namespace),
    unservedIn: (namespace) => watchHealth.problemIn(namespace),
    ...{ checksPerSecond: options.kubeApiQps * CHECKS_SHARE, recheckReadyMs, recheckUnreadyMs },
  });
  const reporter = new DeliveryReporter({ clock, metrics, log, events, sinks: statusTracker });
  const intake = new Intake({
    ...{ log, metrics, routes, journals, reporter, clock: client.serverClock, newEpoch: randomUUID },
    ...{ installedAt: leadership.installedAt, failureAfterMs },
  });
  const parts: Pipeline = {
    ...{ watches, routes, intake, journals, ...senders, gracePeriods, statusTracker, reporter },
    ...{ watchHealth, statuses: writers.statuses, events: writers.events },
    repairs: new Repairs({ clock, sinks, threads, watches }),
    replays: new Replays({
      ...{ clock, serverNow, log, watches, routes, intake, journals, statusTracker, events },
    }),
    series: new MetricSeries({ clock, log, metrics, watches }),
    traces: deps.traces,
  };
  return parts;
}

function openJournals(
  { client, clock, fenced, leadership, log, options, term }: ServiceDeps,
  { journals: { write, remove } }: Writers,
  dispatcher: Dispatcher,
  listener: Feedback,
): Journals {
  // The next process may run on another machine: times in journals are those of the API server.
  const now = (): number => client.serverClock.now();
  return new Journals({
    // Not within a spread: of that TypeScript does not check the names.
    clock,
    log,
    write,
    remove,
    fenced,
    dispatcher,
    listener,
    now,
    writer: { holder: leadership.identity, term },
    // In an outage that also ends the Lease, the next process would send the same events again.
    mayGiveUp: () => leadership.isRenewed(),
    instance: options.instance,
    nightsKeptMs: options.nightsKeptMs,
    isOpen: (at, value) => staleRoot(at, value) !== undefined || isOfOpenNight(at.key, value, now()),
    // If only one of the clocks was changed, nothing gets older.
    ageOf: (at) => Math.min(now(), clock.now()) - at,
    lazyPerSecond: options.kubeApiQps * LAZY_SHARE,
    rest: (ms, signal) => client.outage.wait(ms, signal),
  });
}

/** The sinks, what they share, and the dispatcher that sends through them. */
function openSenders(
  { client, clock, log, options, transport }: ServiceDeps,
  { watches, gracePeriods }: Pick<Pipeline, 'watches' | 'gracePeriods'>,
  events: NotificationEvents,
  feedback: Feedback,
): Pick<Pipeline, 'dispatcher' | 'sinks' | 'rateLimits' | 'templates' | 'threads'> {
  const templates = new TemplatePool({ clock });
  const { maxAgeMs, maxAgeOfProgressMs } = options;
  const limits: Limits = {
    ...LIMITS,
    ...{ requests: connectionLimit(), maxAgeMs, maxAgeOfProgressMs, ...options.limits },
  };
  const rateLimits = requestLimits(clock, limits);
  const threads = new Threads({
    ...{ clock: client.serverClock, rateLimits, memory: feedback, lateMs: options.lateMs },
  });
  const shared = { client, clock, ttlMs: Math.min(SHARED_CONTENT_MS, options.secretTtlMs) };
  const {
    chatApiUrl,
    botApiUrl,
    clusterName,
    crossNamespaceConnectors: policy,
    watchNamespaces: watched,
  } = options;
  const sinks = new SinkResolver({
    ...{ clock, gracePeriods, notifications: watches.notifications, listener: feedback },
    serverNow: () => client.serverClock.now(),
    secrets: new ContentReader('secrets', shared),
    templates: new ContentReader('configmaps', shared),
    connectors: new ConnectorRights({
      cluster: clusterName ?? '',
      policy,
      watched,
      lookup: watches.connectors,
      log,
      events,
    }),
    deps: { transport, clock, version: VERSION, chatApiUrl, botApiUrl, templates, rateLimits, threads },
    ttlMs: options.secretTtlMs,
  });
  const dispatcher = new Dispatcher({
    ...{ clock, rateLimits, listener: feedback },
    resolve: (destination) => sinks.resolve(destination),
    persisted: (planUid) => feedback.persisted(planUid),
    blocked: (namespace) => templates.blocked(namespace),
    limits,
  });
  return { dispatcher, sinks, rateLimits, templates, threads };
}
