/** Parses and formats URLs like Go's `net/url`. All parts are binary strings. */
import { GoError } from '../../errors.ts';
import { quote } from '../../strconv/quote.ts';
import { fromBinary } from '../../value/binary.ts';
import { addressVersion } from './address.ts';
import { escape, unescape } from './escape.ts';

interface User {
  readonly name: string;
  readonly password: string | undefined;
}

/** The decoded parts. The query and the opaque part are not decoded. */
export interface Url {
  readonly scheme: string;
  readonly opaque: string;
  readonly user: User | undefined;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

const EMPTY: Url = { scheme: '', opaque: '', user: undefined, host: '', path: '', query: '', fragment: '' };

/** Throws a GoError: `parse "http://[": missing ']' in host`. */
export function parseUrl(text: string): Url {
  const [rest, fragment] = cut(text, '#');
  const url = reading(rest, () => parseWithoutFragment(rest));
  return reading(text, () => ({ ...url, fragment: unescape(fragment, 'fragment') }));
}

function reading(text: string, read: () => Url): Url {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`parse ${quote(fromBinary(text))}: ${error.message}`);
  }
}

function parseWithoutFragment(text: string): Url {
  if (/[\0-\x1f\x7f]/.test(text)) throw new GoError('net/url: invalid control character in URL');
  if (text === '*') return { ...EMPTY, path: '*' };
  if (text.startsWith(':')) throw new GoError('missing protocol scheme');
  const scheme = /^([a-z][a-z\d+\-.]*):/i.exec(text)?.[1];
  const [rest, query] = cut(scheme === undefined ? text : text.slice(scheme.length + 1), '?');
  const url = { ...EMPTY, scheme: scheme?.toLowerCase() ?? '', query };
  if (scheme !== undefined && !rest.startsWith('/')) return { ...url, opaque: rest };
  if (/^[^/]*:/.test(rest)) throw new GoError('first path segment in URL cannot contain colon');
  if (!rest.startsWith('//') || (scheme === undefined && rest.startsWith('///')))
    return { ...url, path: unescape(rest, 'path') };
  const slash = rest.indexOf('/', 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  const at = authority.lastIndexOf('@');
  const host = parseHost(url.scheme, authority.slice(at + 1));
  const user = at < 0 ? undefined : parseUser(authority.slice(0, at));
  return { ...url, host, user, path: slash < 0 ? '' : unescape(rest.slice(slash), 'path') };
}

function parseUser(text: string): User {
  if (!/^[\w\-.:~!$&'()*+,;=%@]*$/.test(text)) throw new GoError('net/url: invalid userinfo');
  const [name, password] = cut(text, ':');
  return {
    name: unescape(name, 'user'),
    password: text.includes(':') ? unescape(password, 'user') : undefined,
  };
}

function parseHost(scheme: string, host: string): string {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) throw new GoError('invalid IP-literal');
  if (bracket === 0) return parseLiteral(host);
  // With schemes other than http and https, IPv6 addresses occur without brackets.
  const isWeb = scheme === 'http' || scheme === 'https';
  const colon = isWeb ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return unescape(host, 'host');
}

/** An address in brackets, with a port. */
function parseLiteral(host: string): string {
  const end = host.lastIndexOf(']');
  if (end < 0) throw new GoError("missing ']' in host");
  const port = host.slice(end + 1);
  checkPort(port);
  const zone = host.indexOf('%25');
  const inZone = zone >= 0 && zone < end;
  const address =
    unescape(host.slice(1, inZone ? zone : end), 'host') +
    (inZone ? unescape(host.slice(zone, end), 'zone') : '');
  if (addressVersionOfHost(address) === 4) throw new GoError('invalid IP-literal');
  return `[${address}]${unescape(port, 'host')}`;
}

function addressVersionOfHost(address: string): 4 | 6 {
  try {
    return addressVersion(address);
  } catch (error) {
    if (error instanceof GoError) throw new GoError(`invalid host: ${error.message}`);
    throw error;
  }
}

const PORT = /^(?::\d*)?$/;

function checkPort(text: string): void {
  if (!PORT.test(text)) throw new GoError(`invalid port ${quote(fromBinary(text))} after host`);
}

/** The host without its port and brackets. */
export function hostname({ host }: Url): string {
  const colon = host.lastIndexOf(':');
  const name = colon >= 0 && PORT.test(host.slice(colon)) ? host.slice(0, colon) : host;
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
}

export function formatUser({ name, password }: User): string {
  return escape(name, 'user') + (password === undefined ? '' : `:${escape(password, 'user')}`);
}

export function formatUrl(url: Url): string {
  const scheme = url.scheme === '' ? '' : `${url.scheme}:`;
  const place = url.opaque === '' ? formatPlace(url) : url.opaque;
  const query = url.query === '' ? '' : `?${url.query}`;
  const fragment = url.fragment === '' ? '' : `#${escape(url.fragment, 'fragment')}`;
  return scheme + place + query + fragment;
}

function formatPlace({ scheme, user, host, path }: Url): string {
  const escaped = path === '*' ? path : escape(path, 'path');
  const hasAuthority = host !== '' || user !== undefined;
  if (scheme === '' && !hasAuthority)
    // Otherwise the first segment would look like a scheme.
    return /^[^/]*:/.test(escaped) ? `./${escaped}` : escaped;
  const slashes = hasAuthority || path !== '' ? '//' : '';
  const login = user === undefined ? '' : `${formatUser(user)}@`;
  const slash = host !== '' && escaped !== '' && !escaped.startsWith('/') ? '/' : '';
  return slashes + login + escape(host, 'host') + slash + escaped;
}

/** The text before and after a separator. */
function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
