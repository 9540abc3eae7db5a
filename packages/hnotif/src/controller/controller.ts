import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { systemClock } from '@hnotif/core/clock';
import { Election, newIdentity } from '../cluster/election.ts';
import { ElectionThread } from '../cluster/election-thread.ts';
import { podNamespace } from '../cluster/in-cluster.ts';
import { unelected, type Leadership } from '../cluster/leadership.ts';
import type { Checks } from '../observe/health.ts';
import { createMetrics } from '../observe/metrics.ts';
import { wantsTraces } from '../observe/traces/wanted.ts';
import { VERSION } from '@hnotif/core/version';
import { openApi, USER_AGENT, type Api } from './api.ts';
import { LastWrites } from './last-writes.ts';
import type { ControllerOptions } from './options.ts';
import { openTransport } from './receivers.ts';
import type { Totals } from './delivery-reporter.ts';
import { startServers } from './servers.ts';
import { Service } from './service.ts';
import { OptionError, StartError } from './start-error.ts';

export { OptionError, StartError };

/** A running controller. */
export interface Controller {
  /** `http://host:port` of the server with `/metrics`. */
  readonly metricsUrl: string;
  /** `http://host:port` of the server with `/healthz` and `/readyz`. */
  readonly healthUrl: string;
  /** Resolves when it leads, and notifications, journals and plans have been listed. Never rejects: it waits for the cluster and the Lease. */
  readonly synced: Promise<void>;
  /** Resolves with the reason when leadership is lost. All work has ended; call `stop`. */
  readonly leadershipLost: Promise<string>;
  /** Resolves when this version of a plan was seen, and its events were kept and handed to the dispatcher. */
  seen(namespace: string, plan: string, resourceVersion: string): Promise<void>;
  /** How deliveries have ended. */
  totals(): Totals;
  /** Deliveries that wait in journals. After a stop the next process sends them. */
  pending(): number;
  /** Takes no more changes, sends waiting deliveries until the drain time-out or until `hurry` aborts, closes. */
  stop(hurry?: AbortSignal): Promise<void>;
}

const NOTHING: Totals = { delivered: 0, failed: 0, dropped: 0, suppressed: 0 };

/**
 * Starts a controller, for `hnotif run` and `hnotif dev`. It stands by until it leads. Resolves when the servers listen, without waiting
 * for the cluster. Rejects with a `StartError` for an error that only the user can correct. `linesLost`: log lines that could not be
 * written.
 */
export async function startController(
  options: ControllerOptions,
  log: Logger,
  linesLost: () => number = () => 0,
): Promise<Controller> {
  const clock = options.clock ?? systemClock;
  const metrics = createMetrics(VERSION);
  // Loaded only if it is wanted.
  const traces = wantsTraces(options.env)
    ? (await import('./traces.ts')).openTraces(options.env, { clock, log, metrics })
    : undefined;
  const transport = openTransport(options, { clock, log, mayPost: () => leadership.isLeader() });
  const api = await openApi(options, clock, metrics);
  const { client } = api;
  const leadership = await leadershipOf(options, api, log);
  let service: Service | undefined;
  const checks = (): Checks => ({ leader: () => leadership.state(), ...service?.checks });
  const servers = await startServers(options, { metrics, checks, client, clock, log }).catch(
    async (error: unknown) => {
      await Promise.all([transport.close(), client.close()]);
      throw error;
    },
  );
  metrics.onScrape(() => {
    metrics.leader.set(leadership.isLeader() ? 1 : 0);
    metrics.logLinesLost.reset();
    metrics.logLinesLost.inc(linesLost());
  });
  log.info(
    { version: VERSION, cluster: client.source, metrics: servers.metricsUrl, health: servers.healthUrl },
    'started',
  );

  let stopped: Promise<void> | undefined;
  let totals = NOTHING;
  let left = 0;
  const fence = new AbortController();
  let depose: (reason: string) => void = () => undefined;
  const leadershipLost = new Promise<string>((resolve) => {
    depose = (reason): void => {
      if (stopped !== undefined) return;
      log.error({ reason }, 'lost leadership; exiting');
      const last = service;
      service = undefined;
      totals = last?.totals ?? totals;
      void (last?.abort() ?? Promise.resolve()).then(() => {
        resolve(reason);
      });
    };
  });
  leadership.lost.addEventListener('abort', () => {
    depose(`the Lease is lost: ${(leadership.lost.reason as Error).message}`);
  });
  const synced = leadership.leading.then((term) => {
    if (stopped !== undefined) return undefined;
    service = new Service({
      ...{ options, clock, log, metrics, client, traces, transport },
      writer: { holder: leadership.identity, term },
      installedAt: leadership.installedAt,
      // In an outage that also ends the Lease, the next process would send the same events again.
      mayGiveUp: () => leadership.isRenewed(),
      fenced: async ({ namespace, name }) => {
        const check = await leadership.check();
        if (check === 'moved') {
          fence.abort();
          depose(
            `journal ${namespace}/${name} names a later term: another process leads, or writes journals without a Lease`,
          );
        }
        return check;
      },
    });
    return service.synced;
  });
  leadership.start();

  const stop = async (hurry?: AbortSignal): Promise<void> => {
    const served = service;
    // When another process leads already, the stop must hurry.
    const haste = AbortSignal.any([leadership.lost, fence.signal, ...(hurry === undefined ? [] : [hurry])]);
    const last = new LastWrites(clock);
    await served?.stop(haste, last);
    totals = served?.totals ?? totals;
    left = served?.pending ?? left;
    // Last, so that the next process begins after all writes.
    await last.wait('lease', hurry, (enough) => leadership.release(enough));
    if (traces !== undefined) await last.wait('traces', hurry, (enough) => traces.close(enough));
    await Promise.all([servers, transport, client].map((each) => each.close()));
    log.info({ ...totals, left }, 'stopped');
  };
  return {
    metricsUrl: servers.metricsUrl,
    healthUrl: servers.healthUrl,
    synced,
    leadershipLost,
    seen: async (namespace, plan, resourceVersion) => {
      await synced;
      await service?.seen(namespace, plan, resourceVersion);
    },
    totals: () => service?.totals ?? totals,
    pending: () => service?.pending ?? left,
    stop: (hurry) => (stopped ??= stop(hurry)),
  };
}

/** The election runs in its own thread. With the clock of a test it runs in this thread. */
async function leadershipOf(options: ControllerOptions, api: Api, log: Logger): Promise<Leadership> {
  const { clock, leaderElect, instance, leaseName: name = instance, env } = options;
  const identity = newIdentity(options.hostName ?? hostname());
  if (!leaderElect) return unelected(identity, clock ?? systemClock);
  const namespace = options.leaseNamespace ?? (await podNamespace());
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = options;
  const timing = { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
  const mended = (): void => {
    // A renewal is usually the first request that succeeds after an outage.
    api.client.outage.answered();
  };
  const election = { ...timing, log, identity, namespace, name, mended };
  return clock === undefined
    ? new ElectionThread({ ...election, source: api.source, env, userAgent: USER_AGENT })
    : new Election({ ...election, client: api.client, clock });
}
