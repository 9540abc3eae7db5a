import type { Dispatcher } from 'undici';
import { sleep, type Clock } from '@hnotif/core/clock';
import { TokenBucket } from '@hnotif/core/fair';
import { type ResourceType, type Metadata, identityOf, isRaw, pathOf } from '@hnotif/core/resources';
import { kubeAgent } from './agent.ts';
import { streamed, textOf, whole, type Exchange } from './answer.ts';
import type { ClientCertificate, ClusterAccess, Credentials } from './credentials.ts';
import { errorFromStatus, isUnanswered, KubeError } from './error.ts';
import { RequestFailures } from './request-failures.ts';
import { ListItems } from './items.ts';
import { LinkedSignal } from './linked-signal.ts';
import { Outage } from './outage.ts';
import { ServerClock } from './server-clock.ts';

export interface KubeClientOptions {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  /** Requests per second, without lists and watches. Default 50. Raise it when status writes are late. */
  readonly qps?: number;
  /** Requests at once after a quiet time. Default 100. */
  readonly burst?: number;
  /** Milliseconds for one request, from sending it to the end of its answer. Default 30,000. */
  readonly timeoutMs?: number;
  /** Default `hnotif`. */
  readonly userAgent?: string;
  /** Called after each request with the status of its answer; 0: there was none. */
  readonly requested?: (method: string, status: number) => void;
}

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
  /** Called with each object as it comes, also for a page that fails later. */
  readonly item?: (raw: unknown) => void;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bypasses the rate limit, for urgent requests that the caller bounds itself. */
  readonly unlimited?: boolean;
}

interface Call {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Media type of the answer. Default: the object as JSON. */
  readonly accept?: string | undefined;
  readonly body?: { readonly type: string; readonly content: object };
  /** The namespace in whose turn it waits for the rate limit. */
  readonly namespace?: string | undefined;
}

/** How an answer is read. */
interface Reading<Body extends Taken> {
  readonly exchange: Exchange<Body>;
  readonly read: (body: Body, call: Call) => unknown;
}

type Taken = string | Dispatcher.ResponseData['body'];

/** How often one call waits after a 429 with Retry-After. */
const MAX_THROTTLED = 3;
const MAX_RETRY_AFTER_MS = 30_000;
const JSON_TYPE = 'application/json';
/** Metadata only (Kubernetes API concepts, "metadata-only fetches"). A server without support sends whole objects. */
const metadataAs = (kind: string): string => `${JSON_TYPE};as=${kind};g=meta.k8s.io;v=v1,${JSON_TYPE}`;
const METADATA = metadataAs('PartialObjectMetadata');

/** A small client of the Kubernetes API. Objects are `unknown`: the caller parses them. Every method rejects with a `KubeError`. */
export class KubeClient {
  /** Whether the API server is away, as the requests of this client see it. */
  readonly outage: Outage;
  /** The API server's time. */
  readonly serverClock: ServerClock;
  readonly #access: ClusterAccess;
  readonly #clock: Clock;
  readonly #bucket: TokenBucket;
  readonly #timeoutMs: number;
  readonly #userAgent: string;
  readonly #requested: KubeClientOptions['requested'];
  /** Requests and watches in flight. Each has its own signal: one signal with many listeners would be slow. */
  readonly #open = new Set<LinkedSignal>();
  readonly #failures: RequestFailures;
  #closed = false;
  #server: URL | undefined;
  #agent: { dispatcher: Dispatcher; certificate: ClientCertificate | undefined } | undefined;

  constructor({ access, clock, qps, burst, timeoutMs, userAgent, requested }: KubeClientOptions) {
    this.#access = access;
    this.#clock = clock;
    this.outage = new Outage(clock);
    this.serverClock = new ServerClock(clock);
    this.#bucket = new TokenBucket(clock, qps ?? 50, burst ?? 100);
    this.#timeoutMs = timeoutMs ?? 30_000;
    this.#failures = new RequestFailures(access, this.#timeoutMs);
    this.#userAgent = userAgent ?? 'hnotif';
    this.#requested = requested;
  }

  /** Where the API server was found, for the log. */
  get source(): string {
    return this.#access.source;
  }

  get(type: ResourceType, namespace: string, name: string, options: CallOptions = {}): Promise<unknown> {
    return this.#call(
      { method: 'GET', path: pathOf(type, namespace, name), namespace },
      options,
      JSON_READING,
    );
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
    const { limit, continue: token, metadataOnly, item } = query;
    const accept = metadataOnly ? metadataAs('PartialObjectMetadataList') : JSON_TYPE;
    const path = pathOf(type, namespace);
    const pages = { ...(limit > 0 && { limit }), ...(token && { continue: token }) };
    const list = await this.#call(
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
    return this.#call(call, { signal, unlimited: true }, JSON_READING);
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
    return this.#call(
      { method: 'POST', path: pathOf(type, namespace), query, body, accept, namespace },
      options,
      JSON_READING,
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
    return this.#call(
      { method: 'PUT', path: pathOf(type, namespace, name), body, namespace },
      options,
      JSON_READING,
    );
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
    return identityOf(await this.#call(call, options, JSON_READING));
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
    await this.#call(
      { method: 'DELETE', path: pathOf(type, namespace, name), body, namespace },
      options,
      JSON_READING,
    );
  }

  /**
   * Opens a watch from a version. Resolves with the bytes of its lines once the server has answered 200. Bypasses the rate limit: a
   * reflector has one watch at a time, and backs off by itself.
   */
  async watch(
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
    const link = this.#link(signal);
    const cancel = this.#clock.after(this.#timeoutMs, () => {
      link.abort();
    });
    try {
      const body = await this.#send(call, streamed, link.signal, signal);
      return bytesOf(
        body,
        (error) => this.#failure(call, error, signal),
        () => {
          this.#release(link);
        },
      );
    } catch (error) {
      this.#release(link);
      throw error;
    } finally {
      cancel();
    }
  }

  /** Ends all requests and connections. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const link of this.#open) link.abort();
    this.#access.authenticator.close?.();
    await this.#agent?.dispatcher.destroy();
  }

  /** A signal that aborts with `signal` and when the client is closed. */
  #link(signal: AbortSignal | undefined): LinkedSignal {
    const link = new LinkedSignal(signal);
    if (this.#closed) link.abort();
    this.#open.add(link);
    return link;
  }

  #release(link: LinkedSignal): void {
    this.#open.delete(link);
    link.release();
  }

  /** One call with its deadline. Waits after a 429 with Retry-After. */
  async #call<Body extends Taken>(
    call: Call,
    { signal, unlimited = false }: CallOptions,
    reading: Reading<Body>,
  ): Promise<unknown> {
    const link = this.#link(signal);
    try {
      for (let throttled = 0; ; throttled++) {
        if (!unlimited) await this.#bucket.take({ owner: call.namespace ?? '', signal: link.signal });
        try {
          return await this.#attempt(call, reading, link, signal);
        } catch (error) {
          const wait = error instanceof KubeError && error.status === 429 ? error.retryAfterMs : undefined;
          if (wait === undefined || throttled >= MAX_THROTTLED) throw error;
          await sleep(this.#clock, Math.min(wait, MAX_RETRY_AFTER_MS), link.signal);
        }
      }
    } finally {
      this.#release(link);
    }
  }

  async #attempt<Body extends Taken>(
    call: Call,
    { exchange, read }: Reading<Body>,
    link: LinkedSignal,
    outer: AbortSignal | undefined,
  ): Promise<unknown> {
    const cancel = this.#clock.after(this.#timeoutMs, () => {
      link.abort();
    });
    try {
      const body = await this.#send(call, exchange, link.signal, outer);
      return await read(body, call);
    } catch (error) {
      throw this.#failure(call, error, outer);
    } finally {
      cancel();
    }
  }

  /** Resolves with the body of a 2xx. After a 401 it tries once more if there may be other credentials. */
  async #send<Body extends Taken>(
    call: Call,
    exchange: Exchange<Body>,
    signal: AbortSignal,
    outer: AbortSignal | undefined,
  ): Promise<Body> {
    for (let again = true; ; again = false) {
      try {
        signal.throwIfAborted();
        const fetched = this.#access.authenticator.credentials();
        const credentials = fetched instanceof Promise ? await untilAborted(fetched, outer) : fetched;
        if (credentials.authorization !== undefined)
          this.#failures.addCredential(credentials.authorization.reveal());
        const request = { ...this.#request(call, credentials), signal };
        const { statusCode, headers, body } = await exchange(this.#dispatcher(credentials), request);
        this.#requested?.(call.method, statusCode);
        if (statusCode >= 200 && statusCode < 300) {
          this.outage.answered();
          this.serverClock.observe(headers.date);
          return body;
        }
        const text = await textOf(body);
        if (statusCode === 401 && this.#access.authenticator.rejected(credentials) && again) continue;
        throw errorFromStatus(statusCode, jsonOrNothing(text), retryAfterMs(headers));
      } catch (error) {
        const failure = this.#failure(call, error, outer);
        if (isUnanswered(failure)) {
          this.outage.unanswered();
          this.#requested?.(call.method, 0);
        }
        throw failure;
      }
    }
  }

  #request(call: Call, { authorization }: Credentials): Dispatcher.RequestOptions {
    const { origin, pathname } = (this.#server ??= new URL(this.#access.server));
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(call.query ?? {})) query.set(name, String(value));
    const search = query.size === 0 ? '' : `?${query.toString()}`;
    return {
      origin,
      path: `${pathname.replace(/\/$/, '')}${call.path}${search}`,
      method: call.method,
      headers: {
        accept: call.accept ?? JSON_TYPE,
        'user-agent': this.#userAgent,
        ...(authorization && { authorization: authorization.reveal() }),
        ...(call.body && { 'content-type': call.body.type }),
      },
      body: call.body ? JSON.stringify(call.body.content) : null,
    };
  }

  /** The connections for these credentials. A renewed client certificate needs new connections. */
  #dispatcher({ clientCertificate: certificate }: Credentials): Dispatcher {
    const known = this.#agent;
    if (known?.certificate === certificate && known !== undefined) return known.dispatcher;
    const dispatcher = kubeAgent(this.#access, certificate);
    this.#agent = { dispatcher, certificate };
    // Requests on the old connections are finished.
    void known?.dispatcher.close();
    return dispatcher;
  }
  /** An error of the server without our credentials, which it may repeat. */
  redacted(error: KubeError): KubeError {
    return this.#failures.redacted(error);
  }

  #failure(call: Call, error: unknown, outer: AbortSignal | undefined): KubeError {
    return this.#failures.toKubeError(
      error,
      `${call.method} ${call.path}`,
      outer?.aborted === true || this.#closed,
    );
  }
}

/** Rejects when `signal` aborts: a credential plugin may take a minute. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    void promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

/** Seconds, as the API server sends it (RFC 9110, 10.2.3, also allows dates). */
function retryAfterMs(headers: Dispatcher.ResponseData['headers']): number | undefined {
  const value = headers['retry-after'];
  return typeof value === 'string' && /^[0-9]{1,6}$/.test(value) ? Number(value) * 1000 : undefined;
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

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* bytesOf(
  body: AsyncIterable<Uint8Array>,
  failure: (error: unknown) => KubeError,
  done: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw failure(error);
  } finally {
    done();
  }
}
