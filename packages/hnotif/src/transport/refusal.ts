import { isIP } from 'node:net';
import { isLoopback, isMetadataName } from './egress.ts';
import type { EgressGuard } from './egress.ts';
import { TransportError } from './failure.ts';

/** Why nothing may be sent to a URL, as far as it alone tells: by its scheme, and by its host where that is an address. */
export function refusalOf(
  url: URL,
  guard: EgressGuard,
  allowInsecureHttp: boolean,
): TransportError | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAddress = isIP(host) !== 0;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowInsecureHttp))
    return new TransportError('InsecureUrl');
  if (url.protocol === 'http:' && isAddress && !isLoopback(host))
    return new TransportError('InsecureUrl', 'plain http is allowed to loopback alone; use https');
  const why = isAddress
    ? guard.refusal(host)
    : isMetadataName(host)
      ? "it is the name of a cloud's metadata service"
      : undefined;
  return why === undefined
    ? undefined
    : new TransportError('EgressRefused', `${host} may not be connected to: ${why}`);
}
