import { request as httpRequest, type ClientRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { ipAddressesIn } from './address.ts';
import { isLoopback } from './egress.ts';
import { codeOf, reasonOf, TransportError } from './failure.ts';
import { lookupGivenAddresses } from './lookups.ts';

export interface ProxySettings {
  /** The value of HTTPS_PROXY: `http://` or `https://`, with `user:password@` where the proxy asks for it. */
  readonly url: string;
  /**
   * The value of NO_PROXY: names and their subdomains, `.suffix`, addresses, CIDR ranges, each with `:port` if
   * wanted, separated by commas or spaces; `*` for everything.
   */
  readonly noProxy?: string | undefined;
}

/** The proxy of an environment; undefined: none is set. Reads the variables as curl does: in lower or upper case, lower case first. */
export function proxyOf(env: Readonly<Record<string, string | undefined>>): ProxySettings | undefined {
  const url = env.https_proxy ?? env.HTTPS_PROXY ?? '';
  if (url === '') return undefined;
  return { url, noProxy: env.no_proxy ?? env.NO_PROXY };
}

/**
 * Which hosts bypass the proxy. Loopback always does, by address and by name (RFC 6761 section 6.3): the proxy's loopback is another
 * machine's.
 */
export function noProxyMatcher(noProxy: string): (host: string, port: number) => boolean {
  const ranges = new BlockList();
  const names: { readonly name: string; readonly port: number | undefined }[] = [];
  let everything = false;
  for (const entry of noProxy.toLowerCase().split(/[\s,]+/)) {
    const [, range = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
    if (entry === '*') everything = true;
    else if (isIP(range) === 4 && Number(length) <= 32) ranges.addSubnet(range, Number(length), 'ipv4');
    else if (isIP(range) === 6 && Number(length) <= 128) ranges.addSubnet(range, Number(length), 'ipv6');
    else if (isIP(entry) !== 0) ranges.addAddress(entry, isIP(entry) === 4 ? 'ipv4' : 'ipv6');
    else if (entry !== '') names.push(nameAndPort(entry));
  }
  return (host, port) => {
    const bare = bareHost(host.toLowerCase());
    const [form] = ipAddressesIn(bare);
    if (everything || isLoopback(bare) || isWithin(bare, 'localhost')) return true;
    if (form !== undefined && ranges.check(form.address, form.family)) return true;
    return names.some(
      (entry) =>
        (entry.port === undefined || entry.port === port) &&
        (form === undefined ? isWithin(bare, entry.name) : bare === entry.name),
    );
  };
}

function nameAndPort(entry: string): { name: string; port: number | undefined } {
  const [, host = entry, port] = /^(.*):(\d{1,5})$/.exec(entry) ?? [];
  return { name: bareHost(host).replace(/^\*?\./, ''), port: port === undefined ? undefined : Number(port) };
}

/** Without the brackets of an address and the dot that may end a name. */
const bareHost = (host: string): string => host.replace(/^\[|\]$|\.$/g, '');

const isWithin = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`);

/** Decodes percent-encoding. A URL may contain a plain per cent sign, too. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Why the proxy did not answer, and what to check. */
function faultOf(code: string | undefined, reached: boolean): string {
  if (code === undefined) return 'it gave no answer in time; check HTTPS_PROXY';
  const reason = reasonOf(code);
  if (reason === 'CertificateRefused')
    return `its certificate is not trusted (${code}); renew it, or give its authority with --ca-file`;
  if (reason === 'TlsFailed') return `it speaks no TLS (${code}); begin HTTPS_PROXY with http://`;
  if (code === 'HPE_HEADER_OVERFLOW') return 'the head of its answer is too long';
  if (code.startsWith('HPE_'))
    return `it answered with something that is not HTTP (${code}); is it a proxy, and the port right?`;
  return reached
    ? `it closed the connection (${code}); does it take CONNECT, and https if HTTPS_PROXY says so?`
    : `it cannot be reached (${code}); check HTTPS_PROXY`;
}

const proxyFailed = (detail: string): TransportError =>
  new TransportError('ProxyFailed', `the proxy of HTTPS_PROXY gave no connection: ${detail}`);

/** The proxy's own name has no address. */
export const proxyUnknown = (error: unknown): TransportError =>
  error instanceof TransportError && error.reason === 'LookupWaited'
    ? error
    : proxyFailed(faultOf(codeOf(error) || 'no answer of the DNS', false));

/** Opens tunnels through one proxy (CONNECT, RFC 9110 section 9.3.6). */
export class Proxy {
  readonly #url: URL;
  readonly #authorization: string | undefined;
  readonly #context: SecureContext;
  readonly #bypasses: (host: string, port: number) => boolean;

  /** Throws a TypeError for an invalid URL. It does not show the URL, which may contain a password. */
  constructor(settings: ProxySettings, context: SecureContext) {
    const url = URL.canParse(settings.url) ? new URL(settings.url) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol))
      throw new TypeError('HTTPS_PROXY (or https_proxy) must be a URL that begins with http:// or https://');
    this.#url = url;
    this.#context = context;
    this.#bypasses = noProxyMatcher(settings.noProxy ?? '');
    const user = `${percentDecoded(url.username)}:${percentDecoded(url.password)}`;
    this.#authorization = user === ':' ? undefined : `Basic ${Buffer.from(user).toString('base64')}`;
  }

  /** The proxy's own name or address. */
  get host(): string {
    return this.#url.hostname.replace(/^\[|\]$/g, '');
  }

  /** Whether connections to this host go through the proxy. */
  serves(host: string, port: number): boolean {
    return !this.#bypasses(host, port);
  }

  /** Opens a tunnel to `authority` (host:port). `host`: the resolved addresses of the proxy. */
  tunnel(
    authority: string,
    { timeoutMs, host }: { readonly timeoutMs: number; readonly host: string },
    done: (error: Error | null, socket?: Socket) => void,
  ): ClientRequest {
    const options = {
      host,
      lookup: lookupGivenAddresses,
      servername: isIP(this.host) === 0 ? this.host : '',
      port: this.#url.port || (this.#url.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers: {
        host: authority,
        ...(this.#authorization !== undefined && { 'proxy-authorization': this.#authorization }),
      },
      agent: false,
      // Not in the types, but Node passes it to tls.connect.
      secureContext: this.#context,
    };
    const request = this.#url.protocol === 'https:' ? httpsRequest(options) : httpRequest(options);
    const fail = (detail: string): void => {
      clearTimeout(timer);
      done(proxyFailed(detail));
    };
    const timer = setTimeout(() => request.destroy(new Error('timeout')), timeoutMs);
    timer.unref();
    request.once('connect', (answer, socket, head) => {
      // Any 2xx opens the tunnel (RFC 9110 section 9.3.6).
      if (Math.floor((answer.statusCode ?? 0) / 100) === 2 && head.length === 0) {
        clearTimeout(timer);
        done(null, socket);
        return;
      }
      socket.destroy();
      fail(
        answer.statusCode === 407
          ? 'it answered 407; give its user and password in HTTPS_PROXY'
          : `it answered ${answer.statusCode ?? 'nothing'}; see what it says in its log`,
      );
    });
    request.once('response', (answer) => {
      answer.destroy();
      fail(`it answered ${answer.statusCode ?? 'nothing'} to CONNECT; is it a proxy?`);
    });
    let reached = false;
    request.once('socket', (socket) => {
      socket.once('connect', () => (reached = true));
    });
    request.once('error', ({ code }: NodeJS.ErrnoException) => {
      fail(faultOf(code, reached));
    });
    request.end();
    return request;
  }
}
