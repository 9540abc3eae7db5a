import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { startDevCluster } from '@hnotif/devcluster';
import { Kube } from './kube.ts';
import { until } from './wait.ts';

const READY = { what: 'the answer of the API server after its restart', limitMs: 120_000 };

/** An API server on which the cases run. */
export interface Plane {
  readonly name: 'embedded' | 'real';
  readonly version: string;
  /** A client with all rights of the kubeconfig. */
  readonly kube: Kube;
  /** A folder that `close` deletes. */
  readonly folder: string;
  /** The flags of kubectl and of hnotif that name the cluster. */
  readonly flags: readonly string[];
  /** Runs kubectl with the kubeconfig. Rejects with its stderr. */
  kubectl(...args: readonly string[]): Promise<string>;
  /** Writes a kubeconfig with a token of a service account, valid for two hours. Resolves with its path. */
  accountOf(namespace: string, name: string): Promise<string>;
  /** Restarts the API server; undefined: this is not possible. */
  readonly restart: (() => Promise<void>) | undefined;
  close(): Promise<void>;
}

export interface Given {
  readonly kubeconfig: string;
  /** Default: the current one. */
  readonly context?: string | undefined;
  readonly restart?: (() => Promise<void>) | undefined;
}

/**
 * The API server of a kubeconfig. `kubectl proxy` uses its credentials, of any kind, and listens on a socket that only this
 * user can open.
 *
 * @throws when kubectl is missing, or the server does not answer
 */
export async function planeOf(name: Plane['name'], given: Given): Promise<Plane> {
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-kube-'));
  const flags = [
    `--kubeconfig=${given.kubeconfig}`,
    ...(given.context ? [`--context=${given.context}`] : []),
  ];
  const kubectl = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)('kubectl', [...flags, ...args], { maxBuffer: 64 << 20 })).stdout;
  const socketPath = join(folder, 'proxy');
  let close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const stop = await proxied([...flags, 'proxy', `--unix-socket=${socketPath}`]);
    const remove = close;
    close = async () => {
      stop();
      await remove();
    };
    const kube = new Kube('http://localhost', { socketPath });
    const isReady = (): Promise<boolean> =>
      kube.ask('GET', '/readyz').then(
        ({ code }) => code === 200,
        () => false,
      );
    const version = await kube.ask('GET', '/version');
    if (version.code !== 200)
      throw new Error(`the API server answered ${version.code}: ${JSON.stringify(version.body)}`);
    return {
      ...{ name, kube, folder, flags, kubectl, close },
      restart:
        given.restart &&
        (async () => {
          await given.restart?.();
          await until(isReady, READY);
        }),
      version: (version.body as { readonly gitVersion: string }).gitVersion,
      accountOf: async (namespace, account) => {
        const token = await kubectl('create', 'token', account, `--namespace=${namespace}`, '--duration=2h');
        const view = await kubectl('config', 'view', '--raw', '--minify', '--flatten', '-o', 'json');
        const file = join(folder, `account-${namespace}-${account}`);
        await writeFile(file, JSON.stringify(kubeconfigOf(view, token.trim())), { mode: 0o600 });
        return file;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A control plane of packages/devcluster with authentication, used in the same way. */
export async function embeddedPlane(): Promise<Plane> {
  const cluster = await startDevCluster({ tls: true, auth: true });
  const folder = await mkdtemp(join(tmpdir(), 'hnotif-kube-'));
  const end = async (): Promise<void> => {
    await cluster.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const kubeconfig = join(folder, 'kubeconfig');
    const token = cluster.users.token('admin', { groups: ['system:masters'] });
    await writeFile(kubeconfig, cluster.kubeconfig({ token }), { mode: 0o600 });
    const restart = async (): Promise<void> => {
      await cluster.goAway();
      // The watch cache of a server that has just started is empty.
      cluster.compact();
      await cluster.comeBack();
    };
    const plane = await planeOf('embedded', { kubeconfig, restart });
    return { ...plane, close: () => plane.close().then(end) };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Starts `kubectl proxy` in its own process group. Ctrl-C does not end it, because the clean-up needs it. Resolves with a function that ends it. */
async function proxied(args: readonly string[]): Promise<() => void> {
  const child = spawn('kubectl', args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): void => void child.kill('SIGKILL');
  process.once('exit', stop);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  await new Promise<void>((resolve, reject) => {
    child.once('error', (error) => {
      reject(new Error(`kubectl cannot run: ${error.message}`));
    });
    child.once('exit', (code) => {
      reject(new Error(`kubectl proxy ended with ${code}: ${said.trim()}`));
    });
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('Starting to serve')) resolve();
    });
  });
  return () => {
    process.off('exit', stop);
    stop();
  };
}

/** A kubeconfig for the same server with another user. */
function kubeconfigOf(view: string, token: string): object {
  const { clusters } = JSON.parse(view) as { readonly clusters: readonly { readonly cluster: object }[] };
  return {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
    clusters: [{ name: 'c', cluster: clusters[0]?.cluster }],
    users: [{ name: 'c', user: { token } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
  };
}
