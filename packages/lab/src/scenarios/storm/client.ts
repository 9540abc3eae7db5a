import { KubeClient, type ListPage, type ListQuery } from '../../../../hnotif/src/cluster/client.ts';
import type { ResourceType } from '@hnotif/core/resources';

/** hnotif's client. A test can do something before the next page of a list is requested. */
export class PagingClient extends KubeClient {
  betweenPages: (() => Promise<void>) | undefined;

  override async list(
    type: ResourceType,
    namespace: string | undefined,
    query: ListQuery,
    signal?: AbortSignal,
  ): Promise<ListPage> {
    const happen = query.continue === undefined ? undefined : this.betweenPages;
    if (happen !== undefined) {
      this.betweenPages = undefined;
      await happen();
    }
    return super.list(type, namespace, query, signal);
  }
}
