import type { ResourceType } from '@hnotif/core/resources';
import type { KubeClient } from './client.ts';
import { isExpired } from './error.ts';

export interface ListOptions {
  readonly client: KubeClient;
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly pageSize: number;
  readonly metadataOnly?: boolean | undefined;
  readonly signal: AbortSignal;
  /** Called with each object as it comes, also for a list that fails later. */
  readonly item: (raw: unknown) => void;
  /** Called when the list starts again: the objects so far do not count. */
  readonly restart: () => void;
}

/** The message for a 404 of a list or watch. */
export const notServed = (resource: string): string =>
  `${resource} is not served here: is its CustomResourceDefinition installed?`;

/** The message for a 403. In a namespace the rights are missing, too, if the namespace does not exist yet. */
export const mayNot = (resource: string, done: string, namespace: string | undefined): string =>
  `${resource} may not be ${done}${namespace === undefined ? '' : ` in namespace ${namespace}`}: see the rights of our service account${namespace === undefined ? '' : ' there, and whether the namespace exists'}`;

/**
 * Lists everything at one version, page by page, and resolves with that version. When a continue token expires (410), the list starts again
 * without pages: a slow list in pages might never end.
 */
export async function listAll(options: ListOptions): Promise<string> {
  const { client, type, namespace, metadataOnly, signal, item, restart } = options;
  let limit = options.pageSize;
  let token: string | undefined;
  for (;;) {
    try {
      const page = await client.list(type, namespace, { limit, continue: token, metadataOnly, item }, signal);
      if (page.continue === '') return page.resourceVersion;
      token = page.continue;
    } catch (error) {
      if (token === undefined || limit === 0 || !isExpired(error)) throw error;
      restart();
      token = undefined;
      limit = 0;
    }
  }
}
