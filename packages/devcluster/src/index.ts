import { FIRST_NAMESPACES, NAMESPACES } from './builtins.ts';
import { Authority } from './authority.ts';
import type { Cluster } from './cluster.ts';
import { Connections } from './connections.ts';
import { followCrds, startControllers } from './controllers.ts';
import { CRDS_ID, crdResource } from './crds.ts';
import { create, OWN_WRITE } from './create.ts';
import { expireEvents } from './expiry.ts';
import { Listener } from './listener.ts';
import type { Faults } from './faults.ts';
import { FaultList } from './faults.ts';
import { createFirstRoles } from './default-roles.ts';
import type { HistoryBounds } from './history.ts';
import { kubeconfig } from './kubeconfig.ts';
import { Registry } from './registry.ts';
import { httpServer, httpsServer, requestListener } from './server.ts';
import { Store } from './store.ts';
import type { UserCredentials, Users } from './users.ts';
import { UserList } from './users.ts';
import type { WatchOptions } from './watch.ts';
import { Watches } from './watch.ts';
import type { Request } from './where.ts';
import { Work } from './work.ts';

export type { Verb } from './request-info.ts';
export type { Certificate } from './authority.ts';
export type { Effect, Fault, Faults } from './faults.ts';
export type { HistoryBounds } from './history.ts';
export type { UserCredentials, UserOptions, Users } from './users.ts';
export type { WatchOptions } from './watch.ts';
export type { Where } from './where.ts';

export interface DevClusterOptions {
  /** Address to listen on. Default 127.0.0.1: without `auth` each client may do everything. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Milliseconds since the epoch, for timestamps, ages and the `Date` of answers. Default `Date.now`. */
  readonly now?: () => number;
  readonly history?: HistoryBounds;
  readonly watch?: WatchOptions;
  /** HTTPS, with a certificate authority made at start. Default false: plain HTTP. */
  readonly tls?: boolean;
  /** Authenticates each request (token or client certificate) and authorizes it (RBAC). Default false. */
  readonly auth?: boolean;
  /**
   * Answers only requests with a loopback `Host`, without `Origin`, and with a typed body. A page in a browser on this machine cannot
   * send such requests. Default false.
   */
  readonly loopbackOnly?: boolean;
  /** 0 to 1, for the chance of faults. Default `Math.random`. */
  readonly random?: () => number;
  /** Called with each list that is answered and each watch that is opened. Its client sees all earlier writes. */
  readonly onLook?: (info: Request) => void;
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
  /** `http://127.0.0.1:PORT`, or `https://` */
  readonly url: string;
  readonly port: number;
  readonly faults: Faults;
  readonly users: Users;
  /** PEM of the certificate authority; undefined without `tls`. */
  readonly ca: string | undefined;
  /** The text of a kubeconfig file for this server, for kubectl and other clients. With a user it has the user's credentials. */
  kubeconfig(user?: UserCredentials): string;
  /** Removes the history at once: watches and lists from an earlier version are answered 410. */
  compact(): void;
  stats(): DevClusterStats;
  /** Stops like a control plane: refuses connections and cuts the open ones. The stored objects remain. */
  goAway(): Promise<void>;
  /**
   * Listens again, at the same port.
   *
   * @throws the error of `listen` if another process has taken the port
   */
  comeBack(): Promise<void>;
  /**
   * Keeps the present objects. The function restores them with the versions that they had, like a backup of etcd; connections are cut,
   * and watches from before are answered 410. CRDs must not have changed in between.
   */
  backup(): () => Promise<void>;
  /** Ends all watches and connections. */
  close(): Promise<void>;
}

/**
 * Starts a control plane within this process. Objects that are put into its store need no requests.
 *
 * @throws what `listen` does, such as an error with the code EADDRINUSE
 */
export async function startDevCluster(
  options: DevClusterOptions = {},
  store = new Store(options.history),
): Promise<DevCluster> {
  const { host = '127.0.0.1', port = 0, now = Date.now, random = Math.random, onLook } = options;
  const registry = new Registry(crdResource(() => store.each(CRDS_ID), now));
  const cluster: Cluster = { store, registry, now };
  const authority = options.tls ? new Authority() : undefined;
  const server = authority ? httpsServer(authority.server(host), authority.certificate) : httpServer();
  const connections = new Connections(server);
  const watches = new Watches(cluster, connections, options.watch);
  const faults = new FaultList(watches, random);
  const users = new UserList(authority, now);
  const switches = { auth: options.auth === true, loopbackOnly: options.loopbackOnly === true };
  server.on(
    'request',
    requestListener({ cluster, watches, connections, faults, users, onLook, ...switches }),
  );
  const work = new Work();
  const control = startControllers(cluster, work);
  store.subscribe((change) => {
    followCrds(cluster, change);
    watches.deliver(change);
    if (change.resource === CRDS_ID && change.type === 'DELETED') watches.end(change.object.metadata.name);
    control(change);
  });
  for (const name of FIRST_NAMESPACES)
    create(cluster, NAMESPACES, undefined, { metadata: { name } }, OWN_WRITE);
  if (options.auth) createFirstRoles(cluster);
  const stopExpiry = expireEvents(cluster);
  const stop = (): void => {
    work.stop();
    stopExpiry();
    watches.close();
  };
  const listener = new Listener(server, connections, host, port);
  const address = await listener.open().catch((error: unknown) => {
    stop();
    throw error;
  });
  const close = async (): Promise<void> => {
    stop();
    await listener.shut('end');
  };
  let closed: Promise<void> | undefined;
  const scheme = authority ? 'https' : 'http';
  const url = `${scheme}://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
  return {
    url,
    port: address.port,
    faults,
    users,
    ca: authority?.certificate,
    kubeconfig: (user) => kubeconfig(url, authority?.certificate, user),
    compact: () => {
      store.history.compact(store.version);
    },
    stats: () => ({
      objects: store.objects,
      history: store.history.length,
      watchers: watches.count,
      bytes: store.history.bytes,
    }),
    goAway: () => listener.shut('cut'),
    comeBack: () => listener.openAgain(),
    backup: () => {
      const restore = store.backup();
      return async () => {
        await listener.shut('cut');
        restore();
        await listener.openAgain();
      };
    },
    close: () => (closed ??= close()),
  };
}
