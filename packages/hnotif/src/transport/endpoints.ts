import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { Clock } from '@hnotif/core/clock';
import { isLoopback, isPublic } from './egress.ts';
import type { EgressGuard } from './egress.ts';
import { TransportError } from './failure.ts';
import { lookupGivenAddresses, type Lookups } from './lookups.ts';
import { proxyUnknown } from './proxy.ts';
import type { Proxy } from './proxy.ts';
import { bareHost, refusalOf } from './refusal.ts';
import { RefusedConnections } from './refused-connections.ts';
import { contextWith } from './ca.ts';
import type { TlsConfig } from '@hnotif/core/requests';

interface EndpointOptions {
  readonly clock: Clock;
  readonly guard: EgressGuard;
  readonly allowInsecureHttp: boolean;
  readonly context: SecureContext;
  /** PEM text of the authorities that `context` trusts besides Node's own. */
  readonly ca: string | undefined;
  readonly proxy: Proxy | undefined;
  readonly lookups: Lookups;
  readonly timeoutMs: number;
}

/** A socket, or a request for one. */
interface Destroyable {
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** The request that needs an endpoint. */
interface Requester {
  /** The namespace whose request it is. */
  readonly owner: string;
  readonly signal?: AbortSignal | undefined;
  /** Default: the context of all connections. */
  readonly tls?: TlsConfig | undefined;
}

/** Where connections for a URL go. All its addresses are permitted. */
export interface Endpoint {
  readonly connect: buildConnector.connector;
  /** Whether all of its addresses are public, as far as this process knows. */
  readonly isPublic: boolean;
}

/**
 * Node tries one address family after the other, each for this time. Node's default of 250 ms is shorter than a slow
 * handshake across the world, and the request would fail although the receiver works.
 */
const ATTEMPT_MS = 2_500;

/** The owner of look-ups of the proxy's name. */
const NO_NAMESPACE = '';

/**
 * Resolves the endpoints of receivers. A name is resolved once, before a connection is opened. The guard removes the addresses that
 * are not permitted, and the connection goes to one of the others: a second answer of the DNS cannot lead elsewhere. SNI and the
 * Host header keep the name. Plain http goes to loopback only.
 *
 * Through a proxy, the proxy's own look-up decides where the connection goes. The guard checks the addresses that the name has
 * here: one refused address refuses the name. A name that only the proxy can resolve is permitted.
 */
export class EndpointResolver {
  readonly #options: EndpointOptions;
  readonly #connector: buildConnector.connector;
  readonly #refused: RefusedConnections;
  /** Sockets and requests for tunnels, until they close. */
  readonly #sockets = new Set<Destroyable>();

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#refused = new RefusedConnections(options.clock);
    this.#connector = this.#connectorWith({ secureContext: options.context });
  }

  #connectorWith(options: buildConnector.BuildOptions): buildConnector.connector {
    return buildConnector({
      timeout: this.#options.timeoutMs,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
      lookup: lookupGivenAddresses,
      ...options,
    });
  }

  /**
   * The connector of a request. With a certificate of its own it is for one connection, without remembered TLS sessions: a resumed session
   * would have the certificate of the session.
   */
  #connectorOf({ tls }: Requester): buildConnector.connector {
    if (tls === undefined) return this.#connector;
    const secureContext = contextWith(tls, this.#options.ca);
    return this.#connectorWith({ secureContext, maxCachedSessions: 0 });
  }

  /** Destroys all connections, also those that are being opened. */
  close(): void {
    for (const each of this.#sockets) each.destroy();
  }

  #connect(
    connector: buildConnector.connector,
    ...[target, callback]: Parameters<buildConnector.connector>
  ): void {
    // undici returns the socket, although its types do not say so. (One signal for all would slow down each new connection.)
    this.#track((connector as (...all: Parameters<buildConnector.connector>) => Socket)(target, callback));
  }

  #track(opening: Destroyable): void {
    this.#sockets.add(opening);
    opening.once('close', () => this.#sockets.delete(opening));
  }

  /** Rejects with a `TransportError` or the resolver's error. */
  async resolve(url: URL, requester: Requester): Promise<Endpoint> {
    const { guard, allowInsecureHttp, proxy } = this.#options;
    const refusal = refusalOf(url, guard, allowInsecureHttp);
    if (refusal !== undefined) throw refusal;
    const host = bareHost(url);
    const isPlain = url.protocol === 'http:';
    const port = Number(url.port) || (isPlain ? 80 : 443);
    if (!isPlain && proxy?.serves(host, port) === true)
      return this.#resolveThrough(proxy, host, port, requester);
    const permitted = permittedOf(host, await this.#lookUp(host, requester), (address) =>
      isPlain && isLoopback(address)
        ? guard.denial(address)
        : isPlain
          ? 'plain http may go to loopback alone'
          : guard.refusal(address),
    );
    const hostname = permitted.join(',');
    const at = `${hostname} ${port}`;
    this.#refused.check(at);
    const connector = this.#connectorOf(requester);
    return {
      connect: (target, callback) => {
        this.#connect(connector, { ...target, hostname }, (...result) => {
          this.#refused.connected(at, requester.owner, result[0]);
          callback(...result);
        });
      },
      isPublic: permitted.every(isPublic),
    };
  }

  async #resolveThrough(proxy: Proxy, host: string, port: number, requester: Requester): Promise<Endpoint> {
    const { guard, timeoutMs } = this.#options;
    const addresses = await this.#lookUp(host, requester).catch((error: unknown) => {
      // Addresses that were not checked are not permitted. Only the proxy may resolve a name that is unknown here.
      if (error instanceof TransportError && error.reason !== 'NameLookupFailed') throw error;
      return [];
    });
    const refusal = addresses.map((address) => guard.refusal(address)).find(Boolean);
    if (refusal !== undefined) throw refused(host, refusal);
    const ofProxy = { ...requester, owner: NO_NAMESPACE };
    const proxyAddresses = await this.#lookUp(proxy.host, ofProxy).catch((error: unknown) => {
      throw proxyUnknown(error);
    });
    const connector = this.#connectorOf(requester);
    const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    return {
      connect: (target, callback) => {
        const to = { timeoutMs, host: proxyAddresses.join(',') };
        const request = proxy.tunnel(authority, to, (failed, socket) => {
          if (socket === undefined) callback(failed ?? new TransportError('ProxyFailed'), null);
          else this.#connect(connector, { ...target, httpSocket: socket }, callback);
        });
        this.#track(request);
      },
      isPublic: addresses.length > 0 && addresses.every(isPublic),
    };
  }

  async #lookUp(host: string, { owner, signal }: Requester): Promise<string[]> {
    if (isIP(host) !== 0) return [host];
    const result = await this.#options.lookups.resolve(host, owner, signal);
    if (result instanceof Error) throw result;
    return result.map(({ address }) => address);
  }
}

const refused = (host: string, why: string): TransportError =>
  new TransportError('EgressRefused', `${host} may not be connected to: ${why}`);

/** The permitted addresses of a name: at least one. */
function permittedOf(
  host: string,
  addresses: readonly string[],
  refusalOf: (address: string) => string | undefined,
): string[] {
  const permitted = addresses.filter((address) => refusalOf(address) === undefined);
  if (permitted.length > 0) return permitted;
  const [worst] = addresses;
  throw refused(host, (worst && refusalOf(worst)) ?? 'it has no address');
}
