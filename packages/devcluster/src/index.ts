import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { FIRST_NAMESPACES, NAMESPACES } from './builtins.ts';
import type { Cluster } from './cluster.ts';
import { followCrds, startControllers } from './controllers.ts';
import { CRDS_ID, crdResource } from './crds.ts';
import { create } from './create.ts';
import { expireEvents } from './expiry.ts';
import type { HistoryBounds } from './history.ts';
import { kubeconfig } from './kubeconfig.ts';
import { Registry } from './registry.ts';
import { httpServer } from './server.ts';
import { Store } from './store.ts';
import type { WatchOptions } from './watch.ts';
import { Watches } from './watch.ts';
import { Work } from './work.ts';

export type { HistoryBounds } from './history.ts';
export type { WatchOptions } from './watch.ts';

export interface DevClusterOptions {
  /** Address to listen on. Default 127.0.0.1: there is no authentication, so keep it at home. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Milliseconds since the epoch, for timestamps and ages. Default `Date.now`. */
  readonly now?: () => number;
  readonly history?: HistoryBounds;
  readonly watch?: WatchOptions;
}

export interface DevClusterStats {
  readonly objects: number;
  /** Changes kept for watches. */
  readonly history: number;
  readonly watchers: number;
  /** Bytes of JSON in the history. */
  readonly bytes: number;
}

export interface DevCluster {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  /** The text of a kubeconfig file with which kubectl and other clients find this server. */
  kubeconfig(): string;
  /** Forgets the past at once: watches and lists from any earlier version are answered 410. */
  compact(): void;
  stats(): DevClusterStats;
  /** Ends all watches and connections. */
  close(): Promise<void>;
}

/**
 * Starts a control plane within this process.
 *
 * @throws what `listen` does, such as an error with the code EADDRINUSE
 */
export async function startDevCluster(options: DevClusterOptions = {}): Promise<DevCluster> {
  const { host = '127.0.0.1', port = 0, now = Date.now } = options;
  const store = new Store(options.history);
  const registry = new Registry(crdResource(() => store.each(CRDS_ID), now));
  const cluster: Cluster = { store, registry, now };
  const watches = new Watches(cluster, options.watch);
  const work = new Work();
  const control = startControllers(cluster, work);
  store.subscribe((change) => {
    followCrds(cluster, change);
    watches.deliver(change);
    if (change.resource === CRDS_ID && change.type === 'DELETED') watches.end(change.object.metadata.name);
    control(change);
  });
  for (const name of FIRST_NAMESPACES)
    create(
      cluster,
      NAMESPACES,
      undefined,
      { metadata: { name } },
      { fieldValidation: 'Strict', dryRun: false, duplicates: [] },
    );
  const stopExpiry = expireEvents(cluster);
  const server = httpServer(cluster, watches);
  const stop = (): void => {
    work.stop();
    stopExpiry();
    watches.close();
  };
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    stop();
    throw error;
  }
  const close = async (): Promise<void> => {
    stop();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  let closed: Promise<void> | undefined;
  const address = server.address() as AddressInfo;
  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
  return {
    url,
    port: address.port,
    kubeconfig: () => kubeconfig(url),
    compact: () => {
      store.history.compact(store.version);
    },
    stats: () => ({
      objects: store.objects,
      history: store.history.length,
      watchers: watches.count,
      bytes: store.history.bytes,
    }),
    close: () => (closed ??= close()),
  };
}
