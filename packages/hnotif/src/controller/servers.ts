import type { Logger } from 'pino';
import type { Clock } from '@hnotif/core/clock';
import type { KubeClient } from '../cluster/client.ts';
import { reviewToken } from '../cluster/reviews.ts';
import { healthRoutes, type Checks } from '../observe/health.ts';
import { ListenError, startObserveServer, type Answer, type Route } from '../observe/http.ts';
import { kept } from '../observe/kept.ts';
import type { Metrics } from '../observe/metrics.ts';
import { MetricsAuth } from './metrics-auth.ts';
import { CONTROLLER_DEFAULTS, type ControllerOptions } from './options.ts';
import { StartError } from './start-error.ts';

export interface Servers {
  readonly metricsUrl: string;
  readonly healthUrl: string;
  close(): Promise<void>;
}

interface ServersDeps {
  readonly metrics: Metrics;
  readonly checks: () => Checks;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Starts the server of `/metrics` and that of `/healthz` and `/readyz`. Rejects with a `StartError` if an address is taken. */
export async function startServers(
  options: Pick<ControllerOptions, 'metricsAddress' | 'healthAddress' | 'metricsAuth' | 'metricsKeptMs'>,
  deps: ServersDeps,
): Promise<Servers> {
  const { clock, checks } = deps;
  try {
    const metricsServer = await startObserveServer({
      flag: '--metrics-address',
      ...options.metricsAddress,
      clock,
      routes: { [METRICS_PATH]: metricsRoute(options, deps) },
    });
    const healthServer = await startObserveServer({
      flag: '--health-address',
      ...options.healthAddress,
      clock,
      routes: healthRoutes(checks),
    }).catch(async (error: unknown) => {
      await metricsServer.close();
      throw error;
    });
    return {
      metricsUrl: metricsServer.url,
      healthUrl: healthServer.url,
      close: async () => {
        await Promise.all([metricsServer.close(), healthServer.close()]);
      },
    };
  } catch (error) {
    throw error instanceof ListenError ? new StartError(error.message) : error;
  }
}

const METRICS_PATH = '/metrics';

/** Requests share one rendering: with thousands of series it is much work. */
function metricsRoute(
  {
    metricsAuth,
    metricsKeptMs = CONTROLLER_DEFAULTS.metricsKeptMs,
  }: Pick<ControllerOptions, 'metricsAuth' | 'metricsKeptMs'>,
  { metrics, client, clock, log }: ServersDeps,
): Route {
  const route = kept(clock, metricsKeptMs, async (): Promise<Answer> => ({
    status: 200,
    contentType: metrics.contentType,
    body: Buffer.from(await metrics.text()),
  }));
  if (metricsAuth !== true) return route;
  const asked = { path: METRICS_PATH, verb: 'get' };
  const auth = new MetricsAuth({
    ...{ clock, log },
    // Reviews have their own limit. They must not use the requests that deliveries need.
    review: (token, signal) => reviewToken(client, token, asked, { signal, unlimited: true }),
  });
  return auth.guard(route);
}
