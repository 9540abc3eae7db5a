import { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import type { SecureContext } from 'node:tls';
import type { TlsConfig } from '@hnotif/core/requests';

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/**
 * One TLS context for all connections: with hundreds of roots each one costs milliseconds. `pem`: certificates to trust besides
 * Node's own roots.
 */
export function secureContextOf(pem: string | undefined): SecureContext {
  return tls.createSecureContext({ ...OLDEST, ...(pem !== undefined && { ca: rootsWith(pem) }) });
}

const OLDEST = { minVersion: 'TLSv1.2' } as const;

/**
 * The TLS context of a connection that has more of its own: a client certificate, and authorities besides all others. `pem`: as above.
 * With a list of all roots it would take 20 ms and a megabyte. `addCACert`, which Node's own `ca` option calls, adds to the roots that
 * all contexts share: one millisecond. Where a Node does not have it, the list is used. Throws OpenSSL's error.
 */
export function contextWith(
  { cert, key, ca }: Pick<TlsConfig, 'cert' | 'key' | 'ca'>,
  pem: string | undefined,
): SecureContext {
  const own = { ...OLDEST, ...(cert !== undefined && key !== undefined && { cert, key: key.reveal() }) };
  const authorities = [ca, pem].filter((each) => each !== undefined).join('\n');
  const context = tls.createSecureContext(own);
  if (authorities === '') return context;
  const native = context.context as { addCACert?: (certificate: string) => void };
  if (native.addCACert === undefined) return tls.createSecureContext({ ...own, ca: rootsWith(authorities) });
  for (const each of certificatesIn(authorities, 'the CA file')) native.addCACert(each);
  return context;
}

/**
 * Node's roots and the certificates of `pem`. Throws a TypeError if there is none or one cannot be read: otherwise the mistake would
 * show only as failed deliveries.
 */
export const rootsWith = (pem: string): string[] => [
  ...defaultRoots(),
  ...certificatesIn(pem, 'the CA file'),
];

/** The certificates of a PEM text: at least one. Throws a TypeError about `what`. */
export function certificatesIn(pem: string, what: string): string[] {
  // This also finds a certificate without an end.
  const all = pem
    .split(BEGIN)
    .slice(1)
    .map((text) => BEGIN + text.slice(0, Math.max(0, text.indexOf(END))) + END);
  if (all.length === 0) throw new TypeError(`${what} holds no PEM certificate`);
  all.forEach((text, index) => {
    try {
      new X509Certificate(text);
    } catch {
      throw new TypeError(`certificate ${index + 1} of ${what} cannot be read`);
    }
  });
  return all;
}

/** With a `ca` list Node drops its own roots and NODE_EXTRA_CA_CERTS. Only newer versions of Node can list them. */
function defaultRoots(): readonly string[] {
  return 'getCACertificates' in tls && typeof tls.getCACertificates === 'function'
    ? (tls.getCACertificates as () => string[])()
    : tls.rootCertificates;
}
