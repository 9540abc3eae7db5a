import { setMaxListeners } from 'node:events';
import { Pool } from 'undici';
import type { buildConnector } from 'undici';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { secureContextOf } from './ca.ts';
import { connectorOf, resolveBySystem } from './connect.ts';
import type { Resolve } from './connect.ts';
import { EgressGuard } from './egress.ts';
import type { EgressRules } from './egress.ts';
import { Exchange } from './exchange.ts';
import { failureOf, TransportError } from './failure.ts';
import { Proxy } from './proxy.ts';
import type { ProxySettings } from './proxy.ts';
import { refusalOf } from './refusal.ts';
import type { Reply } from './reply.ts';

/** The contract's limit of a webhook request, in milliseconds; connecting is part of it. */
const TIMEOUT_MS = 10_000;
const CONNECTIONS_PER_ORIGIN = 64;
/** Connections that nobody used for so long are closed whatever keep-alive the receiver offers. */
const KEEP_ALIVE_MAX_MS = 60_000;
/** The pool of an origin to which nothing was sent for so long is dropped: deleted sinks must not leave it behind. */
const IDLE_MS = 60_000;

export interface TransportOptions {
  /** Permits plain http, to loopback alone: for development. Default false. */
  readonly allowInsecureHttp?: boolean;
  /** Which addresses may be connected to, besides those that never may. Default: all others may. */
  readonly egress?: EgressRules;
  /** PEM text of certificates to trust besides Node's own. Default: none. */
  readonly ca?: string;
  /** Set where receivers are reached through a proxy only. Default: direct connections. */
  readonly proxy?: ProxySettings;
  /** Asked at each post, and again right before the request is sent; while it says no, none is sent. Default: always. */
  readonly mayPost?: () => boolean;
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
}

interface PostRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** A string is sent as UTF-8. */
  readonly body: string | Uint8Array;
  /** For the whole exchange: waiting for a connection, connecting, sending, headers, body. Default 10 s. */
  readonly timeoutMs?: number;
  /** Calls the request off: it settles at once as `Aborted`. One signal may serve any number of requests. */
  readonly signal?: AbortSignal;
}

interface Origin {
  readonly pool: Pool;
  /** Requests under way. */
  busy: number;
  /** Monotonic milliseconds. */
  lastUsed: number;
}

/**
 * The one HTTP client to receivers. Keep-alive connections, at most 64 per origin (scheme, host, port), shared with
 * nobody; redirects are never followed; bodies are read up to 64 KiB.
 */
export class Transport {
  readonly #allowInsecureHttp: boolean;
  readonly #guard: EgressGuard;
  readonly #connect: buildConnector.connector;
  readonly #mayPost: () => boolean;
  readonly #clock: Clock;
  readonly #opening = new AbortController();
  readonly #origins = new Map<string, Origin>();
  #cancelSweep: (() => void) | undefined;
  #closed = false;

  /** Throws a TypeError with a text for the operator when egress rules, CA or proxy cannot be read. */
  constructor(options: TransportOptions = {}) {
    this.#allowInsecureHttp = options.allowInsecureHttp ?? false;
    this.#mayPost = options.mayPost ?? (() => true);
    this.#clock = options.clock ?? systemClock;
    this.#guard = new EgressGuard(options.egress ?? {});
    const context = secureContextOf(options.ca);
    this.#connect = connectorOf({
      guard: this.#guard,
      context,
      proxy: options.proxy && new Proxy(options.proxy, context),
      resolve: options.resolve ?? resolveBySystem,
      timeoutMs: TIMEOUT_MS,
      signal: this.#opening.signal,
    });
    setMaxListeners(0, this.#opening.signal);
  }

  /**
   * Why nothing will be sent to this URL, as far as the URL alone tells; undefined when something may be. What its
   * name resolves to is judged when a connection is opened.
   */
  problem(url: URL): string | undefined {
    return refusalOf(url, this.#guard, this.#allowInsecureHttp)?.message;
  }

  /** Sends one POST. Never rejects: what went wrong is in the reply. */
  post(request: PostRequest): Promise<Reply> {
    const { url, signal } = request;
    return new Promise((resolve) => {
      const origin = this.#refusalNow() ?? this.#originOf(url);
      if (origin instanceof TransportError) {
        resolve(failureOf(origin, false, url.origin));
        return;
      }
      const exchange = new Exchange(url.origin, this.#mayPost, (reply) => {
        cancelTimeout();
        signal?.removeEventListener('abort', onAbort);
        origin.busy--;
        origin.lastUsed = this.#clock.monotonic();
        resolve(reply);
      });
      const onAbort = (): void => {
        exchange.stop('Aborted');
      };
      origin.busy++;
      const cancelTimeout = this.#clock.after(request.timeoutMs ?? TIMEOUT_MS, () => {
        exchange.stop('TimedOut');
      });
      if (signal?.aborted === true) {
        onAbort();
        return;
      }
      if (signal !== undefined) {
        // One signal may end thousands of requests: that is no leak, as Node would warn.
        setMaxListeners(0, signal);
        signal.addEventListener('abort', onAbort, { once: true });
      }
      origin.pool.dispatch(
        {
          method: 'POST',
          path: url.pathname + url.search,
          headers: request.headers,
          body: request.body,
        },
        exchange,
      );
    });
  }

  /** Destroys all connections; requests under way end as failed. Afterwards every post fails as `Closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelSweep?.();
    const pools = [...this.#origins.values()].map(({ pool }) => pool);
    this.#origins.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
    // A pool lets those be that it is still opening: one that stalls would keep the process alive.
    this.#opening.abort();
  }

  #refusalNow(): TransportError | undefined {
    if (this.#closed) return new TransportError('Closed');
    return this.#mayPost() ? undefined : new TransportError('Aborted');
  }

  #originOf(url: URL): Origin | TransportError {
    const known = this.#origins.get(url.origin);
    if (known !== undefined) return known;
    const refusal = refusalOf(url, this.#guard, this.#allowInsecureHttp);
    if (refusal !== undefined) return refusal;
    const origin: Origin = {
      pool: new Pool(url.origin, {
        connections: CONNECTIONS_PER_ORIGIN,
        pipelining: 1,
        connect: this.#connect,
        keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
        // The exchange has one limit of its own over everything.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
      busy: 0,
      lastUsed: this.#clock.monotonic(),
    };
    this.#origins.set(url.origin, origin);
    this.#cancelSweep ??= this.#clock.after(IDLE_MS, () => {
      this.#sweep();
    });
    return origin;
  }

  #sweep(): void {
    const now = this.#clock.monotonic();
    for (const [name, origin] of this.#origins) {
      if (origin.busy > 0 || now - origin.lastUsed < IDLE_MS) continue;
      this.#origins.delete(name);
      void origin.pool.destroy();
    }
    this.#cancelSweep =
      this.#origins.size === 0
        ? undefined
        : this.#clock.after(IDLE_MS, () => {
            this.#sweep();
          });
  }
}
