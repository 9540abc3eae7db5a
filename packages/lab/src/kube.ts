import { setTimeout } from 'node:timers/promises';
import { Agent, fetch as undiciFetch } from 'undici';
import { PATIENCE_MS } from '../../core/src/testing/patience.ts';

/** An object of the API, with the fields that tests use. */
export interface KubeObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation?: number;
  };
  readonly spec?: Record<string, unknown>;
  readonly status?: unknown;
  readonly [field: string]: unknown;
}

/** A change of an object, as a watch reports it. */
interface WatchEvent {
  readonly type: string;
  readonly object: KubeObject;
}

/** The tests' own client of the control plane: paths and JSON over fetch, without the code under test. */
export class Kube {
  readonly #server: string;
  readonly #fetch: typeof fetch;

  /** `as`: over TLS, with this token; or through a Unix socket whose other end has the credentials. */
  constructor(
    server: string,
    as?: { readonly ca: string | undefined; readonly token: string } | { readonly socketPath: string },
  ) {
    this.#server = server;
    this.#fetch =
      as === undefined
        ? fetch
        : 'socketPath' in as
          ? fetchBy(new Agent({ connect: as }))
          : fetchBy(new Agent({ connect: as.ca === undefined ? {} : { ca: as.ca } }), as.token);
  }

  get(path: string): Promise<KubeObject> {
    return this.#send('GET', path);
  }

  post(path: string, body: object): Promise<KubeObject> {
    return this.#send('POST', path, body);
  }

  /** Creates or replaces an object. */
  async put(collection: string, name: string, body: object): Promise<KubeObject> {
    const { code } = await this.ask('GET', `${collection}/${name}`);
    return code < 300 ? this.#send('PUT', `${collection}/${name}`, body) : this.post(collection, body);
  }

  /** A merge patch (RFC 7386). */
  patch(path: string, body: object): Promise<KubeObject> {
    return this.#send('PATCH', path, body, 'application/merge-patch+json');
  }

  delete(path: string): Promise<KubeObject> {
    return this.#send('DELETE', path);
  }

  /** Resolves with an object of a collection when it satisfies `wanted`. Watches, does not poll. */
  async until(
    collection: string,
    name: string,
    wanted: (object: KubeObject) => boolean,
  ): Promise<KubeObject> {
    const stop = new AbortController();
    const query = `timeoutSeconds=${PATIENCE_MS / 1000}&fieldSelector=metadata.name%3D${name}`;
    let last: KubeObject | undefined;
    try {
      for await (const { type, object } of changesIn(await this.#watch(collection, query, stop.signal))) {
        if (type !== 'ADDED' && type !== 'MODIFIED') continue;
        last = object;
        if (wanted(object)) return object;
      }
    } finally {
      stop.abort();
    }
    throw new Error(
      `${collection}/${name} never came to be as wanted; at last: ${JSON.stringify(last, null, 2)}`,
    );
  }

  /**
   * Calls `told` with each object of a collection that is added or modified, first with the present ones, until the signal aborts.
   * Resolves when the watch is open. A watch that ends is opened again.
   */
  async follow(collection: string, told: (object: KubeObject) => void, signal: AbortSignal): Promise<void> {
    let response: Response | undefined = await this.#watch(collection, '', signal);
    const read = async (): Promise<void> => {
      response ??= await this.#watch(collection, '', signal);
      for await (const { type, object } of changesIn(response))
        if (type === 'ADDED' || type === 'MODIFIED') told(object);
    };
    void (async () => {
      for (; !signal.aborted; response = undefined) await read().catch(() => undefined);
    })();
  }

  async #watch(collection: string, query: string, signal: AbortSignal): Promise<Response> {
    for (;;) {
      const response = await this.#fetch(`${this.#server}${collection}?watch=true&${query}`, { signal });
      if (response.status !== 429) return response;
      // A server with an empty watch cache, shortly after its start, gives this answer.
      await response.arrayBuffer();
      await setTimeout(1_000 * Number(response.headers.get('retry-after') ?? 1));
    }
  }

  /** The answer, also a refusal. */
  async ask(
    method: string,
    path: string,
    body?: object,
    type = 'application/json',
  ): Promise<{ readonly code: number; readonly body: unknown }> {
    const request = (): Promise<Response> =>
      this.#fetch(`${this.#server}${path}`, {
        method,
        ...(body && { headers: { 'content-type': type }, body: JSON.stringify(body) }),
      });
    const response = await request().catch((error: unknown) => {
      if (method === 'POST' || method === 'DELETE' || !wasCut(error)) throw error;
      return request();
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { code: response.status, body: isJson ? JSON.parse(text) : { message: text } };
  }

  async #send(method: string, path: string, body?: object, type?: string): Promise<KubeObject> {
    const { code, body: answer } = await this.ask(method, path, body, type);
    if (code >= 300) throw new Error(`${method} ${path}: ${code} ${JSON.stringify(answer)}`);
    return answer as KubeObject;
  }
}

/** The server closed an idle connection while the request was on its way: on a busy machine the client reads that too late. */
const wasCut = (error: unknown): boolean =>
  error instanceof Error &&
  ['ECONNRESET', 'UND_ERR_SOCKET'].includes((error.cause as NodeJS.ErrnoException | undefined)?.code ?? '');

/** The lines of a watch. */
async function* changesIn({ body }: Response): AsyncGenerator<WatchEvent> {
  if (body === null) throw new Error('the watch has no body');
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as WatchEvent;
  }
}

function fetchBy(dispatcher: Agent, token?: string): typeof fetch {
  const send = (url: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = {
      ...(init.headers as Record<string, string> | undefined),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    return undiciFetch(url, { ...(init as object), headers, dispatcher });
  };
  return send as typeof fetch;
}
