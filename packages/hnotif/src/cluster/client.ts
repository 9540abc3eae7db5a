import { type ResourceType, type Metadata, identityOf, isRaw, pathOf } from '@hnotif/core/resources';
import { streamed, whole } from './answer.ts';
import {
  ApiRequests,
  JSON_TYPE,
  type ApiRequestsOptions,
  type Call,
  type CallOptions,
  type Reading,
} from './api-requests.ts';
import { KubeError } from './error.ts';
import { ListItems } from './items.ts';
import type { Outage } from './outage.ts';
import type { ServerClock } from './server-clock.ts';

export interface ListPage {
  readonly resourceVersion: string;
  /** `''` on the last page. */
  readonly continue: string;
}

export interface ListQuery {
  /** Objects per page; 0: all. */
  readonly limit: number;
  /** From the page before. */
  readonly continue?: string | undefined;
  /** The server sends only the metadata of the objects. */
  readonly metadataOnly?: boolean | undefined;
  /** Only objects of this name. Then the right to list these is enough. */
  readonly name?: string | undefined;
  /** Called with each object as it comes, also for a page that fails later. */
  readonly item?: (raw: unknown) => void;
}

/** Metadata only (Kubernetes API concepts, "metadata-only fetches"). A server without support sends whole objects. */
const metadataAs = (kind: string): string => `${JSON_TYPE};as=${kind};g=meta.k8s.io;v=v1,${JSON_TYPE}`;
const METADATA = metadataAs('PartialObjectMetadata');

/** A small client of the Kubernetes API. Objects are `unknown`: the caller parses them. Every method rejects with a `KubeError`. */
export class KubeClient {
  /** Where the API server was found, for the log. */
  readonly source: string;
  /** Whether the API server is away, as the requests of this client see it. */
  readonly outage: Outage;
  /** The API server's time. */
  readonly serverClock: ServerClock;
  readonly #requests: ApiRequests;

  constructor(options: ApiRequestsOptions) {
    this.#requests = new ApiRequests(options);
    this.source = options.access.source;
    this.outage = this.#requests.outage;
    this.serverClock = this.#requests.serverClock;
  }

  get(type: ResourceType, namespace: string, name: string, options: CallOptions = {}): Promise<unknown> {
    return this.#json({ method: 'GET', path: pathOf(type, namespace, name), namespace }, options);
  }

  /**
   * One page of a consistent list: without a resourceVersion the server answers from its quorum. Bypasses the rate limit, as watches do:
   * nothing can be served before the list is complete.
   */
  async list(
    type: ResourceType,
    namespace: string | undefined,
    query: ListQuery,
    signal?: AbortSignal,
  ): Promise<ListPage> {
    const { limit, continue: token, metadataOnly, name, item } = query;
    const accept = metadataOnly ? metadataAs('PartialObjectMetadataList') : JSON_TYPE;
    const path = pathOf(type, namespace);
    const pages = {
      ...(limit > 0 && { limit }),
      ...(token && { continue: token }),
      ...(name !== undefined && { fieldSelector: `metadata.name=${name.replace(/[\\,=]/g, '\\$&')}` }),
    };
    const list = await this.#requests.send(
      { method: 'GET', path, query: pages, accept },
      { signal, unlimited: true },
      { exchange: streamed, read: (body) => readList(body, item) },
    );
    const items: unknown = isRaw(list) ? (list.items ?? []) : undefined;
    const metadata = isRaw(list) && isRaw(list.metadata) ? list.metadata : {};
    const { resourceVersion } = identityOf(list);
    if (!Array.isArray(items) || resourceVersion === '')
      throw new KubeError(200, 'NotAList', `GET ${path}: the answer is not a list with a resourceVersion`);
    const next = metadata.continue;
    return { resourceVersion, continue: typeof next === 'string' ? next : '' };
  }

  /** The resources of an API group, as the server names them (`APIResourceList`). */
  discover(
    { group, version }: Pick<ResourceType, 'group' | 'version'>,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const call: Call = { method: 'GET', path: `/apis/${group}/${version}` };
    return this.#json(call, { signal, unlimited: true });
  }

  /** Resolves with the stored object; with `metadataOnly` only with its metadata. `dryRun`: all is checked, nothing is stored. */
  create(
    type: ResourceType,
    namespace: string | undefined,
    object: object,
    options: CallOptions & { readonly metadataOnly?: boolean; readonly dryRun?: boolean } = {},
  ): Promise<unknown> {
    const body = { type: JSON_TYPE, content: object };
    const accept = options.metadataOnly ? METADATA : JSON_TYPE;
    const query = options.dryRun ? { dryRun: 'All' } : undefined;
    return this.#json(
      { method: 'POST', path: pathOf(type, namespace), query, body, accept, namespace },
      options,
    );
  }

  /** Replaces an object. With a `resourceVersion` in its metadata, only if that is the present version, else a 409. */
  update(
    type: ResourceType,
    namespace: string,
    name: string,
    object: object,
    options: CallOptions = {},
  ): Promise<unknown> {
    const body = { type: JSON_TYPE, content: object };
    return this.#json({ method: 'PUT', path: pathOf(type, namespace, name), body, namespace }, options);
  }

  /** A JSON merge patch (RFC 7396) of an object. Resolves with the new metadata. */
  mergePatch(
    type: ResourceType,
    namespace: string,
    name: string,
    patch: object,
    options: CallOptions = {},
  ): Promise<Metadata> {
    const body = { type: 'application/merge-patch+json', content: patch };
    return this.#patch(pathOf(type, namespace, name), namespace, body, options);
  }

  /**
   * Replaces the status of the object with this uid. Resolves with the new metadata. Another object of the same name is refused with a
   * 422, which `isFailedTest` knows: the API server ignores a uid in a merge patch of a status, so a JSON patch (RFC 6902) tests it.
   */
  replaceStatus(
    type: ResourceType,
    namespace: string,
    { name, uid }: { readonly name: string; readonly uid: string },
    status: object,
    options: CallOptions = {},
  ): Promise<Metadata> {
    const content = [
      { op: 'test', path: '/metadata/uid', value: uid },
      { op: 'add', path: '/status', value: status },
    ];
    const body = { type: 'application/json-patch+json', content };
    return this.#patch(pathOf(type, namespace, name, 'status'), namespace, body, options);
  }

  async #patch(path: string, namespace: string, body: Call['body'], options: CallOptions): Promise<Metadata> {
    const call: Call = { method: 'PATCH', path, body, accept: METADATA, namespace };
    return identityOf(await this.#json(call, options));
  }

  /** Deletes an object if it still has this version, else a 409. */
  async delete(
    type: ResourceType,
    namespace: string,
    name: string,
    resourceVersion: string,
    options: CallOptions = {},
  ): Promise<void> {
    const content = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { resourceVersion } };
    const body = { type: JSON_TYPE, content };
    await this.#json({ method: 'DELETE', path: pathOf(type, namespace, name), body, namespace }, options);
  }

  /**
   * Opens a watch from a version. Resolves with the bytes of its lines once the server has answered 200. Bypasses the rate limit: a
   * reflector has one watch at a time, and backs off by itself.
   */
  watch(
    type: ResourceType,
    namespace: string | undefined,
    options: {
      readonly resourceVersion: string;
      readonly timeoutSeconds: number;
      /** As in a list. */
      readonly metadataOnly?: boolean | undefined;
    },
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    const { resourceVersion, timeoutSeconds, metadataOnly } = options;
    const call: Call = {
      method: 'GET',
      path: pathOf(type, namespace),
      query: { watch: true, allowWatchBookmarks: true, resourceVersion, timeoutSeconds },
      accept: metadataOnly ? METADATA : JSON_TYPE,
    };
    return this.#requests.open(call, signal);
  }

  /** An error of the server without our credentials, which it may repeat. */
  redacted(error: KubeError): KubeError {
    return this.#requests.redacted(error);
  }

  /** Ends all requests and connections. */
  close(): Promise<void> {
    return this.#requests.close();
  }

  #json(call: Call, options: CallOptions): Promise<unknown> {
    return this.#requests.send(call, options, JSON_READING);
  }
}

const JSON_READING: Reading<string> = {
  exchange: whole,
  read(text, { method, path }) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new KubeError(200, 'NotJson', `${method} ${path}: the answer is not JSON`);
    }
  },
};

/** The list without its items. `item` gets them one by one. */
async function readList(body: AsyncIterable<Uint8Array>, item: ListQuery['item']): Promise<unknown> {
  const items = new ListItems();
  for await (const chunk of body) for (const raw of items.push(chunk)) item?.(raw);
  return items.end();
}
