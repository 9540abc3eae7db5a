import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@hnotif/core/clock';
import { tokenFileAuth } from './auth.ts';
import { AccessError, type ClusterAccess } from './credentials.ts';

/** Where the kubelet puts a pod's service account. */
const SERVICE_ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The address of the API server in a pod, and the folder of the service account. */
export interface InCluster {
  readonly host: string;
  readonly port: string;
  readonly folder: string;
}

/** Undefined: this is not a pod. */
export function findInCluster(
  env: Readonly<Record<string, string | undefined>>,
  folder = SERVICE_ACCOUNT_FOLDER,
): InCluster | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  return host && port ? { host, port, folder } : undefined;
}

/** The access from within a pod. Throws an `AccessError` when the service account cannot be read. */
export async function inClusterAccess(
  clock: Clock,
  { host, port, folder }: InCluster,
): Promise<ClusterAccess> {
  const tokenFile = join(folder, 'token');
  const caFile = join(folder, 'ca.crt');
  await access(tokenFile).catch(() => {
    throw new AccessError(`this is a pod, but ${tokenFile} cannot be read: is its service account mounted?`);
  });
  const ca = await readFile(caFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new AccessError(`${caFile} cannot be read (${error.code ?? 'unknown error'})`);
  });
  return {
    source: 'the service account of this pod',
    // An IPv6 address needs brackets in a URL.
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    namespace: await podNamespace(folder),
    tls: { ca, serverName: undefined, insecure: false },
    proxyUrl: undefined,
    authenticator: tokenFileAuth(clock, tokenFile),
  };
}

/** The namespace of this pod. Default, as outside a cluster: `default`. */
export async function podNamespace(folder = SERVICE_ACCOUNT_FOLDER): Promise<string> {
  const text = await readFile(join(folder, 'namespace'), 'utf8').catch(() => '');
  return text.trim() || 'default';
}
