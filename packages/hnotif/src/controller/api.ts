import type { Clock } from '@hnotif/core/clock';
import { AccessError, findAccess, openAccess, type AccessSource } from '../cluster/access.ts';
import { KubeClient } from '../cluster/client.ts';
import type { Metrics } from '../observe/metrics.ts';
import { VERSION } from '@hnotif/core/version';
import type { ControllerOptions } from './options.ts';
import { StartError } from './start-error.ts';

/** Sent to the API server. */
export const USER_AGENT = `hnotif/${VERSION}`;

/** A client of the API server, and where it found the server. */
export interface Api {
  readonly client: KubeClient;
  readonly source: AccessSource;
}

/** Opens the client. Rejects with a `StartError` if the options lead to no API server. */
export async function openApi(
  options: ControllerOptions,
  clock: Clock,
  { kubeRequests }: Pick<Metrics, 'kubeRequests'>,
): Promise<Api> {
  const { kubeApiQps: qps, kubeApiBurst: burst, env } = options;
  try {
    const source = await findAccess(options);
    const access = await openAccess(source, { clock, env });
    const requested = (method: string, status: number): void => {
      kubeRequests.inc({ method, code: status === 0 ? 'none' : String(status) });
    };
    return {
      source,
      client: new KubeClient({ access, clock, qps, burst, requested, userAgent: USER_AGENT }),
    };
  } catch (error) {
    throw error instanceof AccessError ? new StartError(error.message) : error;
  }
}
