import { setMaxListeners } from 'node:events';
import { systemClock, type Clock } from '@hnotif/core/clock';
import { secureContextOf } from './ca.ts';
import { EndpointResolver } from './endpoints.ts';
import type { Endpoint } from './endpoints.ts';
import { Connections } from './connections.ts';
import { EgressGuard } from './egress.ts';
import type { EgressRules } from './egress.ts';
import { Exchange } from './exchange.ts';
import { failureOf, TransportError } from './failure.ts';
import { connectionLimit } from './connection-limit.ts';
import {
  OWN_FAULTS,
  type Failure,
  type FailureReason,
  type Reply,
  type Poster,
  type PostRequest,
  type TlsFiles,
  type TlsReading,
} from '@hnotif/core/requests';
import { lookupLimit, Lookups, resolveBySystem, threadPoolSize } from './lookups.ts';
import type { Resolve } from './lookups.ts';
import { Proxy } from './proxy.ts';
import type { ProxySettings } from './proxy.ts';
import { refusalOf } from './refusal.ts';
import { readTls } from './tls-config.ts';

/** The contract's time limit of a webhook request (milliseconds). It includes connecting, not the look-up of the name. */
const TIMEOUT_MS = 10_000;
/** `dispatch/` gives one namespace at most half of them. */
const CONNECTIONS_PER_ORIGIN = 128;
/** The least time between two warnings of one reason (milliseconds). */
const WARN_INTERVAL_MS = 60_000;

export interface TransportOptions {
  /** Permits plain http, to loopback only: for development. Default false. */
  readonly allowInsecureHttp?: boolean;
  /** Which addresses may be connected to. Default: the public ones. */
  readonly egress?: EgressRules;
  /** Shows tenants what receivers at private addresses answer. Default false. */
  readonly showPrivateAnswers?: boolean;
  /** PEM text of certificates to trust besides Node's own. Default: none. */
  readonly ca?: string;
  /** Set where receivers are reached through a proxy only. Default: direct connections. */
  readonly proxy?: ProxySettings | undefined;
  /** Called at each post, and again right before the request is sent. False: nothing is sent. Default: true. */
  readonly mayPost?: () => boolean;
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** Look-ups that run at once. Default: by the size of the thread pool. */
  readonly lookups?: number;
  /** Open connections, idle ones included. Default: `connectionLimit()`. */
  readonly connections?: number;
  /** Logs a fault of hnotif's own. Default: nothing is logged. */
  readonly warn?: (reason: FailureReason, message: string) => void;
}

/**
 * The HTTP client to receivers. Its connections are kept alive: at most 128 per origin (scheme, host, port). It never follows
 * redirects, and reads at most 64 KiB of a body.
 */
export class Transport implements Poster {
  readonly #allowInsecureHttp: boolean;
  readonly #showPrivateAnswers: boolean;
  readonly #guard: EgressGuard;
  readonly #lookups: Lookups;
  readonly #endpoints: EndpointResolver;
  readonly #connections: Connections;
  readonly #mayPost: () => boolean;
  readonly #warn: (reason: FailureReason, message: string) => void;
  readonly #clock: Clock;
  readonly #exchanges = new Set<Exchange>();
  readonly #warnedAt = new Map<FailureReason, number>();
  #closed = false;

  /** Throws a TypeError with a text for the operator when egress rules, CA or proxy cannot be read. */
  constructor(options: TransportOptions = {}) {
    this.#allowInsecureHttp = options.allowInsecureHttp ?? false;
    this.#showPrivateAnswers = options.showPrivateAnswers ?? false;
    this.#mayPost = options.mayPost ?? (() => true);
    this.#warn = options.warn ?? (() => undefined);
    this.#clock = options.clock ?? systemClock;
    this.#guard = new EgressGuard(options.egress ?? {});
    this.#lookups = new Lookups({
      clock: this.#clock,
      resolve: options.resolve ?? resolveBySystem,
      limit: options.lookups ?? lookupLimit(threadPoolSize(process.env)),
    });
    this.#connections = new Connections({
      perOrigin: CONNECTIONS_PER_ORIGIN,
      total: options.connections ?? connectionLimit(),
    });
    const context = secureContextOf(options.ca);
    this.#endpoints = new EndpointResolver({
      clock: this.#clock,
      guard: this.#guard,
      allowInsecureHttp: this.#allowInsecureHttp,
      context,
      ca: options.ca,
      proxy: options.proxy && new Proxy(options.proxy, context),
      lookups: this.#lookups,
      timeoutMs: TIMEOUT_MS,
    });
  }

  /** Open connections, idle ones included. */
  get connections(): number {
    return this.#connections.size;
  }

  /**
   * Why nothing will be sent to this URL; undefined: it is permitted. Only the URL is checked here: the addresses of its name are
   * checked when a connection is opened.
   */
  problem(url: URL): string | undefined {
    return refusalOf(url, this.#guard, this.#allowInsecureHttp)?.message;
  }

  /** Reads what the connections of a sink have of their own. */
  readTls(files: TlsFiles): TlsReading {
    return readTls(files);
  }

  /** Sends one POST. Never rejects: errors are in the reply. */
  async post(request: PostRequest): Promise<Reply> {
    const { url, owner, signal } = request;
    const refusal = this.#refusalNow();
    if (refusal !== undefined) return failureOf(refusal, false, url.origin);
    const exchange = new Exchange(url.origin, this.#mayPost);
    const onAbort = (): void => {
      exchange.stop('Aborted');
    };
    this.#exchanges.add(exchange);
    if (signal?.aborted === true) onAbort();
    else {
      // One signal may abort thousands of requests. Node would warn of a leak.
      if (signal !== undefined) setMaxListeners(0, signal);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#start(request, exchange).catch((error: unknown) => {
        exchange.fail(error);
      });
    }
    const reply = await exchange.reply;
    signal?.removeEventListener('abort', onAbort);
    this.#exchanges.delete(exchange);
    if (reply.kind === 'failed') this.#warnOfOwnFault(reply, owner);
    return reply;
  }

  /** Sends a request when there is a connection for it. */
  async #start(request: PostRequest, exchange: Exchange): Promise<void> {
    const { url, tls, timeoutMs = TIMEOUT_MS } = request;
    exchange.limit(this.#clock, timeoutMs);
    const acquired = this.#connections.acquireSlot({ name: url.origin, tls: tls?.id }, exchange.reply);
    const slot = acquired instanceof Promise ? await acquired : acquired;
    if (slot === undefined) return;
    let endpoint: Endpoint | undefined;
    if (!this.#connections.hasIdle(slot)) {
      exchange.endLimit();
      endpoint = await this.#resolveEndpoint(request, exchange);
      if (endpoint === undefined) {
        this.#connections.releaseSlot(slot);
        return;
      }
      exchange.limit(this.#clock, timeoutMs);
    }
    this.#connections.send(slot, endpoint, sendOptions(request), exchange);
  }

  /** Opens a connection as for a POST, and closes it without a request. Undefined: it was opened. */
  async tryConnection({
    url,
    owner,
    tls,
  }: Pick<PostRequest, 'url' | 'owner' | 'tls'>): Promise<Failure | undefined> {
    const { host, hostname, origin, port, protocol } = url;
    try {
      const { connect } = await this.#endpoints.resolve(url, { owner, tls });
      await new Promise<void>((resolve, reject) => {
        connect({ host, hostname, port, protocol }, (error, socket) => {
          socket?.destroy();
          if (error === null) resolve();
          else reject(error);
        });
      });
      return undefined;
    } catch (error) {
      return failureOf(error, false, origin);
    }
  }

  /** Destroys all connections. Running requests fail, and so does every later post, as `Closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#lookups.close();
    for (const exchange of this.#exchanges) exchange.stop('Closed');
    const closed = this.#connections.close();
    // undici does not end connections that are being opened: a stalled one would keep the process alive.
    this.#endpoints.close();
    await closed;
  }

  #refusalNow(): TransportError | undefined {
    if (this.#closed) return new TransportError('Closed');
    return this.#mayPost() ? undefined : new TransportError('Aborted');
  }

  /** Undefined: the exchange has ended. */
  async #resolveEndpoint(
    { url, owner, signal, tls }: PostRequest,
    exchange: Exchange,
  ): Promise<Endpoint | undefined> {
    try {
      const endpoint = await this.#endpoints.resolve(url, { owner, signal, tls });
      // The look-up may have taken a while.
      const refusal = this.#refusalNow();
      if (refusal !== undefined) throw refusal;
      if (exchange.settled) return undefined;
      return { ...endpoint, isPublic: endpoint.isPublic || this.#showPrivateAnswers };
    } catch (error) {
      exchange.fail(error);
      return undefined;
    }
  }

  #warnOfOwnFault({ reason, message }: Failure, owner: string): void {
    if (!OWN_FAULTS.has(reason)) return;
    const now = this.#clock.monotonic();
    if (now < (this.#warnedAt.get(reason) ?? -Infinity) + WARN_INTERVAL_MS) return;
    this.#warnedAt.set(reason, now);
    this.#warn(reason, `a request of namespace ${owner} to ${message}`);
  }
}

const sendOptions = ({ url, headers, body }: PostRequest) =>
  ({ method: 'POST', path: url.pathname + url.search, headers, body }) as const;
