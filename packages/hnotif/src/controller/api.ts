import type { Clock } from '../clock.ts';
import { AccessError, loadAccess } from '../cluster/access.ts';
import { KubeClient } from '../cluster/client.ts';
import { VERSION } from '../version.ts';
import type { ControllerOptions } from './options.ts';
import { StartError } from './start-error.ts';

/** The way to the API server, as the options want it. Rejects with a `StartError` when there is none to be found. */
export async function openApi(options: ControllerOptions, clock: Clock): Promise<KubeClient> {
  const access = await loadAccess(options).catch((error: unknown) => {
    throw error instanceof AccessError ? new StartError(error.message) : error;
  });
  return new KubeClient({
    access,
    clock,
    qps: options.kubeQps,
    burst: options.kubeBurst,
    userAgent: `hnotif/${VERSION}`,
  });
}
