import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';
import { EVENTS } from '@hnotif/core/resources';

/**
 * Whether a namespace certainly does not exist. What is listed in such a namespace is empty, so only a write tells. This is the dry run of
 * an Event: hnotif may create these, and a right to read namespaces is not needed.
 */
export async function isMissing(
  client: Pick<KubeClient, 'create'>,
  namespace: string,
  signal: AbortSignal,
): Promise<boolean> {
  const event = {
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: 'hnotif-dry-run', namespace } },
    ...{ involvedObject: { namespace }, type: 'Normal', reason: 'DryRun' },
  };
  try {
    await client.create(EVENTS, namespace, event, { dryRun: true, metadataOnly: true, signal });
    return false;
  } catch (error) {
    return error instanceof KubeError && error.status === 404;
  }
}
