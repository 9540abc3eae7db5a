import { readFile } from 'node:fs/promises';
import type { Clock } from '@hnotif/core/clock';
import { Secret } from '@hnotif/core/redaction';
import { basic, bearer, isToken, NO_TOKEN, staticAuth, tokenFileAuth } from './auth.ts';
import {
  AccessError,
  type Authenticator,
  type ClientCertificate,
  type ClusterAccess,
  type Credentials,
} from './credentials.ts';
import type { Cluster, Selection, User } from './kubeconfig.ts';
import { displayFieldPath } from './display-path.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Opens the access of a context; reads the files that it names. Throws an `AccessError`. */
export async function accessOf(selection: Selection, clock: Clock, env: Env): Promise<ClusterAccess> {
  const { cluster, clusterFile, context, namespace } = selection;
  const server = serverOf(cluster, clusterFile);
  const insecure = cluster['insecure-skip-tls-verify'] ?? false;
  const ca = await pem(cluster, 'certificate-authority', clusterFile);
  if (insecure && ca !== undefined)
    throw new AccessError(
      `${clusterFile}: cluster.insecure-skip-tls-verify and a certificate authority exclude each other`,
    );
  return {
    source: `context ${context} of ${clusterFile}`,
    server,
    namespace,
    tls: { ca, serverName: cluster['tls-server-name'], insecure },
    proxyUrl: proxyOf(cluster, clusterFile),
    authenticator: await authenticatorOf(selection, server, ca, clock, env),
  };
}

function serverOf({ server }: Cluster, file: string): string {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new AccessError(`${file}: cluster.server must be a URL that begins with https://`);
  if (url.username !== '' || url.password !== '')
    throw new AccessError(`${file}: cluster.server must not hold a user or a password`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function proxyOf(cluster: Cluster, file: string): Secret | undefined {
  const text = cluster['proxy-url'];
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new AccessError(`${file}: cluster.proxy-url must begin with http:// or https://`);
  // A URL may contain a bare per cent sign. Undici's proxies refuse it.
  return new Secret(text.replace(/%(?![\da-f]{2})/gi, '%25'));
}

async function authenticatorOf(
  selection: Selection,
  server: string,
  ca: string | undefined,
  clock: Clock,
  env: Env,
): Promise<Authenticator> {
  const { cluster, user, userFile } = selection;
  if (user['auth-provider'])
    throw new AccessError(
      `${userFile}: user.auth-provider (${user['auth-provider'].name}) is gone from Kubernetes; use user.exec`,
    );
  const clientCertificate = await clientCertificateOf(user, userFile);
  const base: Credentials = { ...(clientCertificate && { clientCertificate }) };
  // As in client-go, `tokenFile` takes precedence over `token`.
  if (user.tokenFile !== undefined) {
    const name = `the token file${displayFieldPath(user.tokenFile, userFile)} of ${userFile}`;
    return tokenFileAuth(clock, user.tokenFile, base, name);
  }
  if (user.token !== undefined && !isToken(user.token))
    throw new AccessError(`${userFile}: user.token ${NO_TOKEN}; write it without`);
  if (user.token !== undefined) return staticAuth({ ...base, authorization: bearer(user.token) });
  if (user.username !== undefined)
    return staticAuth({ ...base, authorization: basic(user.username, user.password ?? '') });
  if (!user.exec) return staticAuth(base);
  const { exec } = user;
  if (exec.interactiveMode === 'Always')
    throw new AccessError(`${userFile}: user.exec.interactiveMode is Always, but hnotif has no terminal`);
  const info = {
    server,
    ...(cluster['tls-server-name'] && { 'tls-server-name': cluster['tls-server-name'] }),
    ...(cluster['insecure-skip-tls-verify'] && { 'insecure-skip-tls-verify': true }),
    ...(ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(cluster['proxy-url'] && { 'proxy-url': cluster['proxy-url'] }),
  };
  const config = {
    apiVersion: exec.apiVersion,
    command: exec.command,
    args: exec.args ?? [],
    env: exec.env ?? [],
    installHint: exec.installHint,
    cluster: exec.provideClusterInfo ? info : undefined,
  };
  // Loaded on demand: its parser would cost the thread of the Lease 5 MB.
  const { execAuth } = await import('./exec.ts');
  return execAuth(clock, config, userFile, env, base);
}

async function clientCertificateOf(user: User, file: string): Promise<ClientCertificate | undefined> {
  const cert = await pem(user, 'client-certificate', file);
  const key = await pem(user, 'client-key', file);
  if ((cert === undefined) !== (key === undefined))
    throw new AccessError(`${file}: user.client-certificate and user.client-key go together; one is missing`);
  return cert === undefined || key === undefined ? undefined : { cert, key: new Secret(key) };
}

type PemField = 'certificate-authority' | 'client-certificate' | 'client-key';

/** PEM from the `-data` field (base64), which takes precedence as in client-go, or from the file. */
async function pem(
  from: Readonly<Partial<Record<PemField | `${PemField}-data`, string>>>,
  field: PemField,
  file: string,
): Promise<string | undefined> {
  const data = from[`${field}-data`];
  const path = from[field];
  if (data !== undefined) {
    const decoded = Buffer.from(data, 'base64').toString('utf8');
    if (!decoded.includes('-----BEGIN')) throw new AccessError(`${file}: ${field}-data is not PEM in base64`);
    return decoded;
  }
  if (path === undefined) return undefined;
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code ?? 'unknown error';
    throw new AccessError(
      `${file}: ${field}:${displayFieldPath(path, file) || ' the file'} cannot be read (${why})`,
    );
  });
}
