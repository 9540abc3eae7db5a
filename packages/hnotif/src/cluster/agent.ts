import { createSecureContext } from 'node:tls';
import { Agent, ProxyAgent, type Dispatcher } from 'undici';
import type { ClientCertificate, ClusterAccess } from './credentials.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** How long an idle connection is kept (milliseconds). The API server keeps it for 90 s. A burst after a quiet time needs no handshakes. */
const IDLE_MS = 60_000;

/**
 * Connections to the API server. Undici's time-outs are off: a watch may be silent for a long time, and the client has a deadline for every
 * request.
 */
export function kubeAgent(access: ClusterAccess, certificate: ClientCertificate | undefined): Dispatcher {
  const { ca, serverName, insecure } = access.tls;
  const tls = {
    // One for all connections: a burst opens a dozen in one turn of the event loop, and each context takes a millisecond.
    secureContext: createSecureContext({
      ...(ca !== undefined && { ca }),
      ...(certificate !== undefined && { cert: certificate.cert, key: certificate.key.reveal() }),
    }),
    ...(serverName !== undefined && { servername: serverName }),
    rejectUnauthorized: !insecure,
  };
  const patience = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: IDLE_MS };
  if (access.proxyUrl === undefined)
    return new Agent({ ...patience, connect: { ...tls, timeout: CONNECT_TIMEOUT_MS } });
  return new ProxyAgent({
    ...patience,
    uri: access.proxyUrl.reveal(),
    requestTls: { ...tls, timeout: CONNECT_TIMEOUT_MS },
    proxyTls: { timeout: CONNECT_TIMEOUT_MS },
  });
}

/** The message for a proxy that refused a tunnel; undefined for other errors. Undici throws it as an abort. */
export function proxyRefusal(error: unknown): string | undefined {
  const [, status] = /^Proxy response \((\d+)\)/.exec(error instanceof Error ? error.message : '') ?? [];
  if (status === undefined) return undefined;
  const remedy = status === '407' ? '; it wants other credentials' : '';
  return `the proxy of proxy-url answered ${status}${remedy}`;
}
