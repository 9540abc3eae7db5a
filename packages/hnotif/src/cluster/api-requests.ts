import type { Dispatcher } from 'undici';
import { sleep, type Clock } from '@hnotif/core/clock';
import { TokenBucket } from '@hnotif/core/fair';
import { kubeAgent } from './agent.ts';
import { streamed, textOf, type Exchange } from './answer.ts';
import type { ClientCertificate, ClusterAccess, Credentials } from './credentials.ts';
import { errorFromStatus, isUnanswered, KubeError } from './error.ts';
import { LinkedSignal } from './linked-signal.ts';
import { Outage } from './outage.ts';
import { RequestFailures } from './request-failures.ts';
import { ServerClock } from './server-clock.ts';

export interface ApiRequestsOptions {
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

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bypasses the rate limit, for urgent requests that the caller bounds itself. */
  readonly unlimited?: boolean;
  /** Whether the call waits after a 429 with Retry-After, 90 s at most. Default true. False: it rejects at once, and the caller waits. */
  readonly waits?: boolean;
}

/** A request. */
export interface Call {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Media type of the answer. Default: the object as JSON. */
  readonly accept?: string | undefined;
  readonly body?: { readonly type: string; readonly content: object };
  /** The namespace in whose turn it waits for the rate limit. */
  readonly namespace?: string | undefined;
}

/** How an answer is read. */
export interface Reading<Body extends Taken> {
  readonly exchange: Exchange<Body>;
  readonly read: (body: Body, call: Call) => unknown;
}

type Taken = string | Dispatcher.ResponseData['body'];

export const JSON_TYPE = 'application/json';

/** How often one call waits after a 429 with Retry-After. */
const MAX_THROTTLED = 3;
const MAX_RETRY_AFTER_MS = 30_000;

/** Sends requests to the Kubernetes API, each with the present credentials and a deadline. Every method rejects with a `KubeError`. */
export class ApiRequests {
  /** Whether the API server is away, as these requests see it. */
  readonly outage: Outage;
  /** The API server's time. */
  readonly serverClock: ServerClock;
  readonly #access: ClusterAccess;
  readonly #clock: Clock;
  readonly #bucket: TokenBucket;
  readonly #timeoutMs: number;
  readonly #userAgent: string;
  readonly #requested: ApiRequestsOptions['requested'];
  /** Requests and watches in flight. Each has its own signal: one signal with many listeners would be slow. */
  readonly #open = new Set<LinkedSignal>();
  readonly #failures: RequestFailures;
  #closed = false;
  #server: URL | undefined;
  #agent: { dispatcher: Dispatcher; certificate: ClientCertificate | undefined } | undefined;

  constructor({ access, clock, qps, burst, timeoutMs, userAgent, requested }: ApiRequestsOptions) {
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

  /** Sends a request and reads its answer. */
  async send<Body extends Taken>(
    call: Call,
    { signal, unlimited = false, waits = true }: CallOptions,
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
          if (!waits || wait === undefined || throttled >= MAX_THROTTLED) throw error;
          await sleep(this.#clock, Math.min(wait, MAX_RETRY_AFTER_MS), link.signal);
        }
      }
    } finally {
      this.#release(link);
    }
  }

  /** Resolves with the bytes of an endless answer once the server has answered 200. Bypasses the rate limit. */
  async open(call: Call, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const link = this.#link(signal);
    const cancel = this.#deadline(link);
    try {
      return this.#bytesOf(await this.#exchange(call, streamed, link.signal, signal), call, link, signal);
    } catch (error) {
      this.#release(link);
      throw error;
    } finally {
      cancel();
    }
  }

  /** An error of the server without our credentials, which it may repeat. */
  redacted(error: KubeError): KubeError {
    return this.#failures.redacted(error);
  }

  /** Ends all requests and connections. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const link of this.#open) link.abort();
    this.#access.authenticator.close?.();
    await this.#agent?.dispatcher.destroy();
  }

  /** A signal that aborts with `signal` and when the requests are closed. */
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

  /** Returns a function that cancels the deadline. */
  #deadline(link: LinkedSignal): () => void {
    return this.#clock.after(this.#timeoutMs, () => {
      link.abort();
    });
  }

  async #attempt<Body extends Taken>(
    call: Call,
    { exchange, read }: Reading<Body>,
    link: LinkedSignal,
    outer: AbortSignal | undefined,
  ): Promise<unknown> {
    const cancel = this.#deadline(link);
    try {
      return await read(await this.#exchange(call, exchange, link.signal, outer), call);
    } catch (error) {
      throw this.#failure(call, error, outer);
    } finally {
      cancel();
    }
  }

  async *#bytesOf(
    body: AsyncIterable<Uint8Array>,
    call: Call,
    link: LinkedSignal,
    outer: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      throw this.#failure(call, error, outer);
    } finally {
      this.#release(link);
    }
  }

  /** Resolves with the body of a 2xx. After a 401 it tries once more if there may be other credentials. */
  async #exchange<Body extends Taken>(
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

  #failure(call: Call, error: unknown, outer: AbortSignal | undefined): KubeError {
    const isStopping = outer?.aborted === true || this.#closed;
    return this.#failures.toKubeError(error, `${call.method} ${call.path}`, isStopping);
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

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
