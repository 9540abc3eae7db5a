import { isIP } from 'node:net';
import { isLocalName, isLoopback, isMetadataName } from './egress.ts';
import type { EgressGuard } from './egress.ts';
import { TransportError } from './failure.ts';

/** The host of a URL, an IPv6 address without its brackets. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Why nothing may be sent to a URL: by its scheme, and by its host if that is an address or a special name. */
export function refusalOf(
  url: URL,
  guard: EgressGuard,
  allowInsecureHttp: boolean,
): TransportError | undefined {
  const host = bareHost(url);
  const isAddress = isIP(host) !== 0;
  const isPlain = url.protocol === 'http:';
  if (url.protocol !== 'https:' && !(isPlain && allowInsecureHttp)) return new TransportError('InsecureUrl');
  if (isPlain && isAddress && !isLoopback(host))
    return new TransportError('InsecureUrl', 'plain http is allowed to loopback only; use https');
  const why = isAddress
    ? isPlain
      ? guard.denial(host)
      : guard.refusal(host)
    : isMetadataName(host)
      ? "it is the name of a cloud's metadata service"
      : host.includes('..')
        ? // Some resolvers read over it. So it may be another spelling of anything.
          'two dots follow each other'
        : !isPlain && isLocalName(host)
          ? // The name may have addresses of either family. They are checked when a connection is opened.
            guard.refusal('127.0.0.1') && guard.refusal('::1')
          : undefined;
  return why === undefined
    ? undefined
    : new TransportError('EgressRefused', `${host} may not be connected to: ${why}`);
}
