import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { sleep, systemClock, type Clock } from '../clock.ts';
import { EventRecorder } from '../cluster/events.ts';
import { ContentReader } from '../cluster/contents.ts';
import { StatusWriter } from '../cluster/status.ts';
import { Buckets } from '../dispatch/buckets.ts';
import { Dispatcher } from '../dispatch/dispatcher.ts';
import { createMetrics } from '../observe/metrics.ts';
import { API_VERSION, notificationsOf } from '../resources/group.ts';
import { TemplatePool } from '../render/pool.ts';
import { Routes } from '../routing/routes.ts';
import { Threads } from '../sinks/teamchat/thread/threads.ts';
import { VERSION } from '../version.ts';
import { openApi } from './api.ts';
import { notificationChanges, planChanges, type Parts } from './changes.ts';
import { showGauges } from './gauges.ts';
import { Intake } from './intake.ts';
import type { ControllerOptions } from './options.ts';
import { openTransport } from './receivers.ts';
import { Report, type Totals } from './report.ts';
import { Series } from './series.ts';
import { startServers } from './servers.ts';
import { Sinks } from './sinks.ts';
import { Standings } from './standings.ts';
import { OptionError, StartError } from './start-error.ts';
import { planView } from './view.ts';
import { Watches } from './watches.ts';

export { OptionError, StartError };

/** A running controller. */
export interface Controller {
  /** `http://host:port` of the server with `/metrics`. */
  readonly metricsUrl: string;
  /** `http://host:port` of the server with `/healthz` and `/readyz`. */
  readonly healthUrl: string;
  /** Resolves once notifications and plans have been listed. Never rejects: a cluster that is not there is waited for. */
  readonly synced: Promise<void>;
  /** Resolves once this state of a plan has been seen, and its events submitted. */
  seen(namespace: string, plan: string, resourceVersion: string): Promise<void>;
  /** How many deliveries have ended how. */
  totals(): Totals;
  /** Takes nothing more in, sends what waits (no longer than the drain time-out, or until `hurry` aborts), closes. */
  stop(hurry?: AbortSignal): Promise<void>;
}

/** Secrets and config maps that several sinks share are read once in this time (milliseconds). */
const SHARED_CONTENT_MS = 1_000;

/** How long a stop waits for the last updates of thread roots, besides the drain (milliseconds). */
const ROOTS_MS = 5_000;

/** How long a stop that was told to hurry still waits for the API server (milliseconds). */
const HURRY_MS = 1_000;

/** What looks for the `Ready` condition may take of the requests to the API server; the rest is for what is to be sent. */
const LOOKS_SHARE = 1 / 5;

/**
 * Starts serving; what `hnotif run` and `hnotif dev` both call. Resolves when the servers listen, without waiting for the
 * cluster. Rejects with a `StartError` for what only a human can mend.
 */
export async function startController(options: ControllerOptions, log: Logger): Promise<Controller> {
  const clock = options.clock ?? systemClock;
  const metrics = createMetrics(VERSION);
  const transport = openTransport(options, clock);
  const client = await openApi(options, clock);
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
  const events = new EventRecorder({ client, clock, log });

  const routes = new Routes();
  const { chatApiUrl, botApiUrl } = options;
  const templates = new TemplatePool({ clock });
  const permits = new Buckets(clock);
  const threads = new Threads({ clock, permits });
  const shared = { client, clock, ttlMs: Math.min(SHARED_CONTENT_MS, options.secretTtlMs) };
  const sinks = new Sinks({
    clock,
    secrets: new ContentReader('secrets', shared),
    templates: new ContentReader('configmaps', shared),
    deps: { transport, clock, version: VERSION, chatApiUrl, botApiUrl, templates, permits, threads },
    notification: (namespace, name) => watches.notifications.get(namespace, name),
    view: (plan) => planView(plan, watches.connectors),
    ttlMs: options.secretTtlMs,
    renewed: (to) => {
      standings.renewed(to);
      dispatcher.renewed(to);
    },
  });
  const standings = new Standings({
    clock,
    log,
    matched: ({ namespace, name, status }) =>
      watches.plans.synced ? routes.matched(namespace, name) : (status.matched ?? 0),
    check: (to) => sinks.check(to),
    write: ({ namespace, name, uid }, status) => {
      statuses.set(notificationType, namespace, name, uid, status);
    },
    observed: ({ namespace, name, uid, status, resourceVersion }) => {
      statuses.observed(notificationType, namespace, name, uid, { status, resourceVersion });
    },
    looksPerSecond: options.kubeQps * LOOKS_SHARE,
    recheckUnreadyMs: options.recheckUnreadyMs,
    recheckReadyMs: options.recheckReadyMs,
  });
  const report = new Report({
    clock,
    metrics,
    log,
    settled: (settlement) => {
      standings.settled(settlement);
    },
    putOff: (to, setback) => {
      standings.putOff(to, setback);
    },
    throttled: (to, reason, message) => {
      standings.throttled(to, reason, message);
    },
    rejected: (to) => {
      sinks.rejected(to);
    },
    noticed: (to, event, notice) => {
      standings.noticed(to, event, notice);
    },
    warn: ({ namespace, notification: name, sink }, reason, message, cause) => {
      const uid = watches.notifications.get(namespace, name)?.uid;
      const apiVersion = `${options.apiGroup}/${API_VERSION}`;
      if (uid !== undefined)
        events.warn(
          { apiVersion, kind: 'HibernateNotification', namespace, name, uid },
          reason,
          message,
          `${sink}/${cause}`,
        );
    },
  });
  const dispatcher = new Dispatcher({
    clock,
    resolve: (submission) => sinks.resolve(submission),
    listener: report,
    permits,
    limits: {
      maxAgeMs: options.maxAgeMs,
      maxAgeOfProgressMs: options.maxAgeOfProgressMs,
      ...options.limits,
    },
  });
  const intake = new Intake({
    clock,
    log,
    metrics,
    routes,
    submit: (submission) => {
      dispatcher.submit(submission);
    },
    failureAfterMs: options.failureAfterMs,
    newEpoch: randomUUID,
  });
  const series = new Series({
    clock,
    log,
    metrics,
    isListed: ({ namespace, notification, sink }) =>
      watches.notifications.get(namespace, notification)?.sinks.some(({ name }) => name === sink) === true,
  });
  const parts: Parts = {
    ...{ routes, sinks, standings, dispatcher, intake, series },
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
    plans: {
      ...planChanges(parts, () => watches.plans.synced),
      synced() {
        log.info(
          { plans: routes.plans, notifications: routes.notifications, cluster: client.source },
          'serving',
        );
        standings.rematchedAll();
        opened();
      },
    },
  });

  showGauges(metrics, dispatcher, routes);
  const servers = await startServers(options, metrics, watches).catch(async (error: unknown) => {
    await Promise.all([transport.close(), client.close()]);
    throw error;
  });
  log.info(
    { version: VERSION, cluster: client.source, metrics: servers.metricsUrl, health: servers.healthUrl },
    'started',
  );
  watches.start();

  let stopped: Promise<void> | undefined;
  const stop = async (hurry?: AbortSignal): Promise<void> => {
    await watches.stop();
    intake.close();
    await dispatcher.drain(options.drainTimeoutMs, { hurry });
    await Promise.race([threads.idle(), sleep(clock, ROOTS_MS, hurry)]);
    threads.close();
    permits.close();
    report.close();
    series.close();
    standings.close();
    const written = Promise.all([statuses.close(), events.close()]);
    await Promise.race([written, afterAbort(clock, HURRY_MS, hurry)]);
    await Promise.all([servers, transport, client, templates].map((each) => each.close()));
    // What was still being written has ended with the client.
    await written;
    log.info(report.totals, 'stopped');
  };
  return {
    metricsUrl: servers.metricsUrl,
    healthUrl: servers.healthUrl,
    synced,
    seen: (namespace, plan, resourceVersion) => intake.seen(namespace, plan, resourceVersion),
    totals: () => report.totals,
    stop: (hurry) => (stopped ??= stop(hurry)),
  };
}

/** Resolves so long after `signal` has aborted; never without one. */
const afterAbort = (clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal === undefined) return;
    const aborted = (): void => {
      clock.after(ms, resolve);
    };
    if (signal.aborted) aborted();
    else signal.addEventListener('abort', aborted, { once: true });
  });
