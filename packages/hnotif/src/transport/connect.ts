import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { isLoopback, isPublic } from './egress.ts';
import type { EgressGuard } from './egress.ts';
import { TransportError } from './failure.ts';
import type { Lookups } from './lookups.ts';
import { proxyUnknown } from './proxy.ts';
import type { Proxy } from './proxy.ts';
import { bareHost, refusalOf } from './refusal.ts';

interface ConnectOptions {
  readonly guard: EgressGuard;
  readonly allowInsecureHttp: boolean;
  readonly context: SecureContext;
  readonly proxy: Proxy | undefined;
  readonly lookups: Lookups;
  readonly timeoutMs: number;
}

/** A socket, or a request for one. */
interface Destroyable {
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** For whom and how long a way is looked for. */
interface Asking {
  /** The namespace whose request it is. */
  readonly owner: string;
  readonly signal?: AbortSignal | undefined;
}

/** Where connections for one URL go, all of it judged. */
export interface Way {
  readonly connect: buildConnector.connector;
  /** Whether all addresses to which they may lead are public, as far as is known here. */
  readonly isPublic: boolean;
}

/**
 * Node tries one address family after the other and gives each so long. Its own 250 ms is shorter than a slow
 * handshake across the world, which then fails though the receiver is well.
 */
const ATTEMPT_MS = 2_500;

/** Look-ups of the proxy's own name are no namespace's. */
const OURS = '';

/**
 * Finds ways to receivers. The address is judged where it is used: a name is resolved once, before a connection is opened; refused
 * addresses are left out, and the connection goes to one of those left, so that no second answer of the DNS can
 * lead elsewhere. SNI and the Host header keep the name. Plain http goes to loopback alone, which need not be public for it.
 *
 * Through a proxy only the proxy's own look-up counts in the end. The guard judges the addresses that the name has
 * here, refuses it for one that is refused, and lets a name pass that only the proxy can resolve.
 */
export class Ways {
  readonly #options: ConnectOptions;
  readonly #connector: buildConnector.connector;
  /** Connections that are being opened, or open; and requests for tunnels. */
  readonly #open = new Set<Destroyable>();

  constructor(options: ConnectOptions) {
    this.#options = options;
    this.#connector = buildConnector({
      timeout: options.timeoutMs,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
      secureContext: options.context,
      lookup: givenAddresses,
    });
  }

  /** Ends connections that are being opened, and those that are open. */
  close(): void {
    for (const each of this.#open) each.destroy();
  }

  #connect: buildConnector.connector = (target, callback) => {
    // It returns the socket, though its types do not say so. A signal for all of them would be searched through for each new one.
    this.#track(
      (this.#connector as (...all: Parameters<buildConnector.connector>) => Socket)(target, callback),
    );
  };

  #track(opening: Destroyable): void {
    this.#open.add(opening);
    opening.once('close', () => this.#open.delete(opening));
  }

  /** Rejects with a `TransportError`, or with what the resolver said. */
  async find(url: URL, asking: Asking): Promise<Way> {
    const { guard, allowInsecureHttp, proxy } = this.#options;
    const refusal = refusalOf(url, guard, allowInsecureHttp);
    if (refusal !== undefined) throw refusal;
    const host = bareHost(url);
    const isPlain = url.protocol === 'http:';
    const port = Number(url.port) || (isPlain ? 80 : 443);
    if (!isPlain && proxy?.serves(host, port) === true) return this.#findThrough(proxy, host, port, asking);
    const permitted = permittedOf(host, await this.#look(host, asking), (address) =>
      isPlain && isLoopback(address)
        ? guard.denial(address)
        : isPlain
          ? 'plain http may go to loopback alone'
          : guard.refusal(address),
    );
    const hostname = permitted.join(',');
    return {
      connect: (target, callback) => {
        this.#connect({ ...target, hostname }, callback);
      },
      isPublic: permitted.every(isPublic),
    };
  }

  async #findThrough(proxy: Proxy, host: string, port: number, asking: Asking): Promise<Way> {
    const { guard, timeoutMs } = this.#options;
    const addresses = await this.#look(host, asking).catch((error: unknown) => {
      // Not judged is not permitted: only a name that is unknown here is the proxy's to resolve.
      if (error instanceof TransportError && error.reason !== 'NameLookupFailed') throw error;
      return [];
    });
    const refusal = addresses.map((address) => guard.refusal(address)).find(Boolean);
    if (refusal !== undefined) throw refused(host, refusal);
    const proxyAddresses = await this.#look(proxy.host, { ...asking, owner: OURS }).catch(
      (error: unknown) => {
        throw proxyUnknown(error);
      },
    );
    const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    return {
      connect: (target, callback) => {
        const way = { timeoutMs, host: proxyAddresses.join(',') };
        const request = proxy.tunnel(authority, way, (failed, socket) => {
          if (socket === undefined) callback(failed ?? new TransportError('ProxyFailed'), null);
          else this.#connect({ ...target, httpSocket: socket }, callback);
        });
        this.#track(request);
      },
      isPublic: addresses.length > 0 && addresses.every(isPublic),
    };
  }

  async #look(host: string, { owner, signal }: Asking): Promise<string[]> {
    if (isIP(host) !== 0) return [host];
    const looked = await this.#options.lookups.look(host, owner, signal);
    if (looked instanceof Error) throw looked;
    return looked.map(({ address }) => address);
  }
}

const refused = (host: string, why: string): TransportError =>
  new TransportError('EgressRefused', `${host} may not be connected to: ${why}`);

/** Of a name's addresses those that may be connected to: at least one. */
function permittedOf(
  host: string,
  addresses: readonly string[],
  judge: (address: string) => string | undefined,
): string[] {
  const permitted = addresses.filter((address) => judge(address) === undefined);
  if (permitted.length > 0) return permitted;
  const [worst] = addresses;
  throw refused(host, (worst && judge(worst)) ?? 'it has no address');
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * In the place of a look-up: a connection is opened to a host that is the list of its addresses, which were resolved and judged
 * before. Of a single one Node asks for nothing.
 */
export const givenAddresses: LookupFunction = (
  host: string,
  options: LookupOptions,
  callback: LookupCallback,
): void => {
  const addresses = host.split(',').map((address) => ({ address, family: isIP(address) }));
  const [first] = addresses;
  const stranger = addresses.some(({ family }) => family === 0);
  if (first === undefined || stranger) callback(new TransportError('NetworkError'), []);
  else if (options.all === true) callback(null, addresses);
  else callback(null, first.address, first.family);
};
