import { setMaxListeners } from 'node:events';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { secureContextOf } from './ca.ts';
import { Ways } from './connect.ts';
import type { Way } from './connect.ts';
import { Connections } from './connections.ts';
import { EgressGuard } from './egress.ts';
import type { EgressRules } from './egress.ts';
import { Exchange } from './exchange.ts';
import { failureOf, TransportError } from './failure.ts';
import { connectionLimit } from './limit.ts';
import { OWN_FAULTS } from './reply.ts';
import { lookupLimit, Lookups, resolveBySystem, threadsOf } from './lookups.ts';
import type { Resolve } from './lookups.ts';
import { Proxy } from './proxy.ts';
import type { ProxySettings } from './proxy.ts';
import { refusalOf } from './refusal.ts';
import type { FailureReason, Reply } from './reply.ts';

/** The contract's limit of a webhook request, in milliseconds; connecting is part of it, the look-up of the name is not. */
const TIMEOUT_MS = 10_000;
/** One namespace alone gets half of them: `dispatch/` sees to it. */
export const CONNECTIONS_PER_ORIGIN = 128;
/** A fault of our own is told at most so often (milliseconds). */
const TOLD_MS = 60_000;

export interface TransportOptions {
  /** Permits plain http, to loopback alone: for development. Default false. */
  readonly allowInsecureHttp?: boolean;
  /** Which addresses may be connected to. Default: the public ones. */
  readonly egress?: EgressRules;
  /** Shows tenants what receivers at private addresses answer. Default false. */
  readonly showPrivateAnswers?: boolean;
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
  /** Look-ups under way at once. Default: what the process has threads for. */
  readonly lookups?: number;
  /** Connections open at once, those that rest included. Default: `connectionLimit()`. */
  readonly connections?: number;
  /** Takes a fault of our own for the log: one that no receiver can mend. Default: none does. */
  readonly warn?: (reason: FailureReason, message: string) => void;
}

export interface PostRequest {
  readonly url: URL;
  /** The namespace whose request it is: look-ups are shared fairly between namespaces. */
  readonly owner: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A string is sent as UTF-8. */
  readonly body: string | Uint8Array;
  /** For the whole exchange once its host is looked up: connecting, sending, headers, body. Default 10 s. */
  readonly timeoutMs?: number;
  /** Calls the request off: it settles at once as `Aborted`. One signal may serve any number of requests. */
  readonly signal?: AbortSignal;
}

/**
 * The one HTTP client to receivers. Keep-alive connections, at most 128 per origin (scheme, host, port), shared with
 * nobody; redirects are never followed; bodies are read up to 64 KiB.
 */
export class Transport {
  readonly #allowInsecureHttp: boolean;
  readonly #showPrivateAnswers: boolean;
  readonly #guard: EgressGuard;
  readonly #lookups: Lookups;
  readonly #ways: Ways;
  readonly #connections: Connections;
  readonly #mayPost: () => boolean;
  readonly #warn: (reason: FailureReason, message: string) => void;
  readonly #clock: Clock;
  readonly #exchanges = new Set<Exchange>();
  readonly #told = new Map<FailureReason, number>();
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
      limit: options.lookups ?? lookupLimit(threadsOf(process.env)),
    });
    this.#connections = new Connections({
      perOrigin: CONNECTIONS_PER_ORIGIN,
      inAll: options.connections ?? connectionLimit(),
    });
    const context = secureContextOf(options.ca);
    this.#ways = new Ways({
      guard: this.#guard,
      allowInsecureHttp: this.#allowInsecureHttp,
      context,
      proxy: options.proxy && new Proxy(options.proxy, context),
      lookups: this.#lookups,
      timeoutMs: TIMEOUT_MS,
    });
  }

  /** How many connections are open, those that rest included. */
  get connections(): number {
    return this.#connections.size;
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
    const { url, signal, timeoutMs = TIMEOUT_MS } = request;
    const { origin } = url;
    return new Promise((resolve) => {
      const refusal = this.#refusalNow();
      if (refusal !== undefined) {
        resolve(failureOf(refusal, false, origin));
        return;
      }
      const exchange = new Exchange(origin, this.#mayPost, (reply) => {
        cancelTimeout();
        cancelTurn();
        signal?.removeEventListener('abort', onAbort);
        this.#exchanges.delete(exchange);
        if (reply.kind === 'failed') this.#tell(reply.reason, reply.message, request.owner);
        resolve(reply);
      });
      const onAbort = (): void => {
        exchange.stop('Aborted');
      };
      const startTimeout = (): (() => void) =>
        this.#clock.after(timeoutMs, () => {
          exchange.stop('TimedOut');
        });
      let cancelTimeout = startTimeout();
      let cancelTurn = (): void => undefined;
      this.#exchanges.add(exchange);
      if (signal?.aborted === true) {
        onAbort();
        return;
      }
      if (signal !== undefined) {
        // One signal may end thousands of requests: that is no leak, as Node would warn.
        setMaxListeners(0, signal);
        signal.addEventListener('abort', onAbort, { once: true });
      }
      cancelTurn = this.#connections.enter(origin, (turn) => {
        if (this.#connections.hasResting(turn)) {
          this.#connections.send(turn, undefined, sendOptions(request), exchange);
          return;
        }
        cancelTimeout();
        void this.#find(request, exchange).then((way) => {
          if (way === undefined) {
            this.#connections.leave(turn);
            return;
          }
          cancelTimeout = startTimeout();
          this.#connections.send(turn, way, sendOptions(request), exchange);
        });
      });
    });
  }

  /** Destroys all connections; requests under way end as failed. Afterwards every post fails as `Closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#lookups.close();
    for (const exchange of this.#exchanges) exchange.stop('Closed');
    const closed = this.#connections.close();
    // A client lets the connection be that it is still opening: one that stalls would keep the process alive.
    this.#ways.close();
    await closed;
  }

  #refusalNow(): TransportError | undefined {
    if (this.#closed) return new TransportError('Closed');
    return this.#mayPost() ? undefined : new TransportError('Aborted');
  }

  /** Undefined: the exchange has ended. */
  async #find({ url, owner, signal }: PostRequest, exchange: Exchange): Promise<Way | undefined> {
    try {
      const way = await this.#ways.find(url, { owner, signal });
      // It may have taken a while.
      const refusal = this.#refusalNow();
      if (refusal !== undefined) throw refusal;
      if (exchange.settled) return undefined;
      return { ...way, isPublic: way.isPublic || this.#showPrivateAnswers };
    } catch (error) {
      exchange.fail(error);
      return undefined;
    }
  }

  #tell(reason: FailureReason, message: string, owner: string): void {
    if (!OWN_FAULTS.has(reason)) return;
    const now = this.#clock.monotonic();
    if (now < (this.#told.get(reason) ?? -Infinity) + TOLD_MS) return;
    this.#told.set(reason, now);
    this.#warn(reason, `a request of namespace ${owner} to ${message}`);
  }
}

const sendOptions = ({ url, headers, body }: PostRequest) =>
  ({ method: 'POST', path: url.pathname + url.search, headers, body }) as const;
