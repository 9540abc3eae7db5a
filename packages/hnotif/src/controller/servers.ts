import { healthRoutes, type Checks } from '../observe/health.ts';
import { ListenError, startObserveServer } from '../observe/http.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { ControllerOptions } from './options.ts';
import { StartError } from './start-error.ts';

export interface Servers {
  readonly metricsUrl: string;
  readonly healthUrl: string;
  close(): Promise<void>;
}

/** `/metrics`, and `/healthz` with `/readyz`, on their addresses. Rejects with a `StartError` when one is taken. */
export async function startServers(
  options: Pick<ControllerOptions, 'metricsAddress' | 'healthAddress'>,
  metrics: Metrics,
  checks: () => Checks,
): Promise<Servers> {
  try {
    const metricsServer = await startObserveServer({
      flag: '--metrics-address',
      ...options.metricsAddress,
      routes: {
        '/metrics': async () => ({
          status: 200,
          contentType: metrics.contentType,
          body: await metrics.text(),
        }),
      },
    });
    const healthServer = await startObserveServer({
      flag: '--health-address',
      ...options.healthAddress,
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
