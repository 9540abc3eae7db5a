import type { Clock } from '../clock.ts';
import { AccessError, findAccess, openAccess, type AccessSource } from '../cluster/access.ts';
import { KubeClient } from '../cluster/client.ts';
import { VERSION } from '../version.ts';
import type { ControllerOptions } from './options.ts';
import { StartError } from './start-error.ts';

/** How we name ourselves to the API server. */
export const USER_AGENT = `hnotif/${VERSION}`;

/** A client of the API server, and the way that it goes, by which others reach the same server. */
export interface Api {
  readonly client: KubeClient;
  readonly source: AccessSource;
}

/** The way to the API server, as the options want it. Rejects with a `StartError` when there is none to be found. */
export async function openApi(options: ControllerOptions, clock: Clock): Promise<Api> {
  const { kubeQps: qps, kubeBurst: burst, env } = options;
  try {
    const source = await findAccess(options);
    const access = await openAccess(source, { clock, env });
    return { source, client: new KubeClient({ access, clock, qps, burst, userAgent: USER_AGENT }) };
  } catch (error) {
    throw error instanceof AccessError ? new StartError(error.message) : error;
  }
}
