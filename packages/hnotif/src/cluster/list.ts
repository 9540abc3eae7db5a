import type { ResourceType } from '../resources/group.ts';
import type { KubeClient } from './client.ts';
import { isExpired } from './error.ts';

export interface ListOptions {
  readonly client: KubeClient;
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly pageSize: number;
  readonly metadataOnly?: boolean | undefined;
  readonly signal: AbortSignal;
  /** Told of each object as it comes; a list that fails on the way has told of some. */
  readonly item: (raw: unknown) => void;
  /** What was listed so far does not count: the list begins anew. */
  readonly restart: () => void;
}

/** What is wrong where a list or watch meets a 404. */
export const notServed = (resource: string): string =>
  `${resource} is not served here: is its CustomResourceDefinition installed?`;

/**
 * Lists everything as of one moment, page by page; resolves with that moment's version. A continue token that
 * expires on the way (410) makes the list begin anew, whole: a list that is slower than the server's memory would
 * never come to its end in pages.
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
