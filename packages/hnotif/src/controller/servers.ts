import { healthRoutes } from '../observe/health.ts';
import { ListenError, startObserveServer } from '../observe/http.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { ControllerOptions } from './options.ts';
import { StartError } from './start-error.ts';
import type { Watches } from './watches.ts';

export interface Servers {
  readonly metricsUrl: string;
  readonly healthUrl: string;
  close(): Promise<void>;
}

/** `/metrics`, and `/healthz` with `/readyz`, on their addresses. Rejects with a `StartError` when one is taken. */
export async function startServers(
  options: Pick<ControllerOptions, 'metricsAddress' | 'healthAddress'>,
  metrics: Metrics,
  watches: Watches,
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
      routes: healthRoutes({
        notifications: () => troubleOf(watches.notifications),
        plans: () => troubleOf(watches.plans),
      }),
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

/** Why a resource is not being followed; undefined when it is. */
function troubleOf({
  state,
  error,
}: {
  readonly state: string;
  readonly error: string | undefined;
}): string | undefined {
  if (state === 'synced') return undefined;
  return state === 'starting' ? 'not listed yet' : (error ?? 'failing');
}
