import { lookup as systemLookup } from 'node:dns';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import type { SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { isLoopback } from './egress.ts';
import type { EgressGuard } from './egress.ts';
import { TransportError } from './failure.ts';
import type { Proxy } from './proxy.ts';

/** All addresses of a name, in the order in which to try them; what `dns.lookup` does with `all`. */
export type Resolve = (
  name: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** The system's own resolver. */
export const resolveBySystem: Resolve = (name, done) => {
  systemLookup(name, { all: true }, done);
};

interface ConnectOptions {
  readonly guard: EgressGuard;
  readonly context: SecureContext;
  readonly proxy: Proxy | undefined;
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  /** Ends connections that are being opened, and those that are open. */
  readonly signal: AbortSignal;
}

/**
 * Node tries one address family after the other and gives each so long. Its own 250 ms is shorter than a slow
 * handshake across the world, which then fails though the receiver is well.
 */
const ATTEMPT_MS = 2_500;

/**
 * How the pools open connections. The address is judged where it is used: a name is resolved once, refused
 * addresses are left out, and the connection goes to one of those left, so that no second answer of the DNS can
 * lead elsewhere. SNI and the Host header keep the name. Plain http goes to loopback alone.
 *
 * Through a proxy only the proxy's own look-up counts in the end. The guard judges the addresses that the name has
 * here, refuses it for one that is refused, and lets a name pass that only the proxy can resolve.
 */
export function connectorOf(options: ConnectOptions): buildConnector.connector {
  const { guard, proxy, timeoutMs, signal } = options;
  const resolve = oneLookEach(options.resolve);
  const shared = {
    timeout: timeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    secureContext: options.context,
    // Not in the types, but handed on to net.connect and tls.connect.
    signal,
  };
  const judge = (address: string): string | undefined => guard.refusal(address);
  const judgePlain = (address: string): string | undefined =>
    isLoopback(address) ? judge(address) : 'plain http may go to loopback alone';
  const secure = buildConnector({ ...shared, lookup: guardedLookup(resolve, judge) });
  const plain = buildConnector({ ...shared, lookup: guardedLookup(resolve, judgePlain) });

  return (target, callback) => {
    const isPlain = target.protocol === 'http:';
    const host = target.hostname;
    const port = Number(target.port) || (isPlain ? 80 : 443);
    // A literal address never comes to `lookup`.
    const refusal = isIP(host) === 0 ? undefined : (isPlain ? judgePlain : judge)(host);
    if (refusal !== undefined) {
      callback(refused(host, refusal), null);
    } else if (isPlain) {
      plain(target, callback);
    } else if (proxy?.serves(host, port) !== true) {
      secure(target, callback);
    } else {
      judgeName(host, resolve, judge, (error) => {
        if (error !== null) {
          callback(error, null);
          return;
        }
        const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
        proxy.tunnel(authority, { timeoutMs, signal }, (failed, socket) => {
          if (socket === undefined) callback(failed ?? new TransportError('ProxyFailed'), null);
          else secure({ ...target, httpSocket: socket }, callback);
        });
      });
    }
  };
}

/**
 * Who asks for a name that is being looked up waits for that answer. The system looks up four names at a time: without
 * this, 64 connections to one name whose DNS is slow would have all other names wait.
 */
function oneLookEach(resolve: Resolve): Resolve {
  const waiting = new Map<string, Parameters<Resolve>[1][]>();
  return (name, done) => {
    const others = waiting.get(name);
    if (others !== undefined) {
      others.push(done);
      return;
    }
    const all = [done];
    waiting.set(name, all);
    resolve(name, (error, addresses) => {
      waiting.delete(name);
      for (const each of all) each(error, addresses);
    });
  };
}

const refused = (host: string, why: string): TransportError =>
  new TransportError('EgressRefused', `${host} may not be connected to: ${why}`);

function judgeName(
  name: string,
  resolve: Resolve,
  judge: (address: string) => string | undefined,
  done: (error: Error | null) => void,
): void {
  if (isIP(name) !== 0) {
    done(null);
    return;
  }
  resolve(name, (error, addresses) => {
    const refusal = error === null ? addresses.map(({ address }) => judge(address)).find(Boolean) : undefined;
    done(refusal === undefined ? null : refused(name, refusal));
  });
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** A `lookup` for `net.connect` that answers with permitted addresses only. */
function guardedLookup(resolve: Resolve, judge: (address: string) => string | undefined) {
  return (name: string, options: LookupOptions, callback: LookupCallback): void => {
    resolve(name, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const permitted = addresses.filter(({ address }) => judge(address) === undefined);
      const [first] = permitted;
      if (first === undefined) {
        const [worst] = addresses;
        callback(refused(name, (worst && judge(worst.address)) ?? 'it has no address'), []);
      } else if (options.all === true) callback(null, permitted);
      else callback(null, first.address, first.family);
    });
  };
}
