import { journalsOf, OWN_SHORT_NAME, type ResourceType, isRaw, type Raw } from '@hnotif/core/resources';
import type { KubeClient } from './client.ts';
import { KubeError } from './error.ts';

/** Answers after which it is not known what is served. A list tells more. */
const UNKNOWN: ReadonlySet<number> = new Set([403, 404]);

/**
 * Rejects with a `KubeError` if the notifications of the API group are those of another operator: then hnotif must not write their status.
 * Ours have a short name of their own, or journals beside them. This asks for what is served, which every account may ask.
 */
export async function checkOwnKind(
  client: Pick<KubeClient, 'discover'>,
  notifications: ResourceType,
  signal: AbortSignal,
): Promise<void> {
  const { group, plural } = notifications;
  const served = await resourcesOf(client, notifications, signal);
  const found = served.find(({ name }) => name === plural);
  const hasJournals = served.some(({ name }) => name === journalsOf(group).plural);
  const shortNames = Array.isArray(found?.shortNames) ? found.shortNames : [];
  if (found === undefined || hasJournals || shortNames.includes(OWN_SHORT_NAME)) return;
  // The API server has answered: this is no outage.
  throw new KubeError(
    200,
    'ForeignKind',
    `the ${plural} of the API group ${group} are not hnotif's, so they are left alone: choose another group with --api-group, the same for hnotif crds, and name the plans with --plan-resource=hibernateplans.v1alpha1.${group}; if they are hnotif's, apply the CRDs of this version`,
  );
}

async function resourcesOf(
  client: Pick<KubeClient, 'discover'>,
  type: ResourceType,
  signal: AbortSignal,
): Promise<readonly Raw[]> {
  try {
    const list = await client.discover(type, signal);
    return isRaw(list) && Array.isArray(list.resources) ? list.resources.filter(isRaw) : [];
  } catch (error) {
    if (error instanceof KubeError && UNKNOWN.has(error.status)) return [];
    throw error;
  }
}
