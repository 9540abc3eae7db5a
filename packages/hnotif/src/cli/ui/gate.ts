import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A request, as far as the decision needs it. */
export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** The decision about a request. */
export type Verdict =
  | { readonly kind: 'pass'; readonly path: string; readonly query: URLSearchParams }
  /** The first address was opened: set the cookie and go to the page. */
  | { readonly kind: 'enter' }
  | { readonly kind: 'refuse'; readonly status: number; readonly message: string };

const refuse = (status: number, message: string): Verdict => ({ kind: 'refuse', status, message });

/** Browsers send a cookie to every port of a host, so its name has the port. */
export const cookieName = (port: number): string => `hnotif-ui-${port}`;

const OPEN_AGAIN = 'open the address that hnotif printed; it holds the token of this run';

/**
 * Decides whether a request comes from the page of the user who started the program. The page shows what their rights show, so another site, another
 * user of the machine, and a name that was bound to this address afterwards (DNS rebinding) get nothing.
 */
export function judge({ method, url, headers }: Asked, port: number, token: string): Verdict {
  // Browsers leave out the port of http.
  const hosts = ['127.0.0.1', 'localhost'].map((name) => (port === 80 ? name : `${name}:${port}`));
  if (!hosts.includes(headers.host ?? ''))
    return refuse(421, `the header Host must be ${hosts.join(' or ')}`);
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`))
    return refuse(403, 'requests of other sites are refused');
  if (method === 'POST') {
    // Forms of other sites send neither our Origin nor JSON.
    if (origin === undefined) return refuse(403, 'the header Origin is missing');
    if (headers['content-type'] !== 'application/json')
      return refuse(415, 'the body must be application/json');
  } else if (method !== 'GET' && method !== 'HEAD') return refuse(405, 'only GET, HEAD and POST');
  // An invalid address, such as `//`, throws here.
  const address = URL.parse(url, `http://${hosts[0] ?? ''}`);
  if (address === null) return refuse(400, 'the address is not valid');
  const given = address.searchParams.get('token');
  if (address.pathname === '/' && given !== null)
    return isSame(given, token)
      ? { kind: 'enter' }
      : refuse(401, `the token is not that of this run: ${OPEN_AGAIN}`);
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return refuse(403, 'requests of other sites are refused');
  if (!isSame(cookieOf(headers.cookie, cookieName(port)), token)) return refuse(401, OPEN_AGAIN);
  return { kind: 'pass', path: address.pathname, query: address.searchParams };
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function cookieOf(header: string | undefined, name: string): string {
  for (const part of (header ?? '').split(';')) {
    const [key = '', value = ''] = part.trim().split('=');
    if (key === name) return value;
  }
  return '';
}
