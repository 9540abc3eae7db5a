import { X509Certificate } from 'node:crypto';
import * as tls from 'node:tls';
import type { SecureContext } from 'node:tls';

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/**
 * One TLS context for all connections: with hundreds of roots each one costs milliseconds. `pem`: certificates to trust besides
 * Node's own roots.
 */
export function secureContextOf(pem: string | undefined): SecureContext {
  return tls.createSecureContext({ minVersion: 'TLSv1.2', ...(pem !== undefined && { ca: rootsWith(pem) }) });
}

/**
 * Node's roots and the certificates of `pem`. Throws a TypeError if there is none or one cannot be read: otherwise the mistake would
 * show only as failed deliveries.
 */
export function rootsWith(pem: string): string[] {
  // This also finds a certificate without an end.
  const own = pem
    .split(BEGIN)
    .slice(1)
    .map((text) => BEGIN + text.slice(0, Math.max(0, text.indexOf(END))) + END);
  if (own.length === 0) throw new TypeError('the CA file holds no PEM certificate');
  own.forEach((text, index) => {
    try {
      new X509Certificate(text);
    } catch {
      throw new TypeError(`certificate ${index + 1} of the CA file cannot be read`);
    }
  });
  return [...defaultRoots(), ...own];
}

/** With a `ca` list Node drops its own roots and NODE_EXTRA_CA_CERTS. Only newer versions of Node can list them. */
function defaultRoots(): readonly string[] {
  return 'getCACertificates' in tls && typeof tls.getCACertificates === 'function'
    ? (tls.getCACertificates as () => string[])()
    : tls.rootCertificates;
}
