import { Client } from 'undici';
import type { Endpoint } from './endpoints.ts';
import type { Exchange } from './exchange.ts';

/** An idle connection is closed after this time, even if the receiver offers more. If it offers nothing, undici closes it after 4 s. */
const KEEP_ALIVE_MAX_MS = 60_000;
/** The same for connections with a client certificate, so that those with a former one end soon. */
const CERTIFIED_MAX_MS = 4_000;

type SendOptions = Parameters<Client['dispatch']>[0];

interface Limits {
  /** Connections to one origin. */
  readonly perOrigin: number;
  /** All connections. Above this limit, the connection that is idle longest is closed. */
  readonly total: number;
}

interface OriginId {
  /** Scheme, host and port. */
  readonly name: string;
  /** Undefined: no client certificate. Connections with one serve only requests with the same one. */
  readonly tls: string | undefined;
}

interface Origin extends OriginId {
  readonly key: string;
  /** Slots in use. Each has a connection, or is about to open one. */
  usedSlots: number;
  /** Slots whose request has its answer: in the next turn of the event loop the connection is idle or gone. */
  ending: number;
  /** Requests that wait for a slot. */
  readonly waiting: Set<() => void>;
  /** In the order of their last use. */
  readonly idle: Connection[];
}

interface Connection {
  readonly client: Client;
  readonly origin: Origin;
  readonly isPublic: boolean;
  state: 'busy' | 'ending' | 'idle';
}

/**
 * The open connections. Each serves one request at a time. A request takes a slot of its origin, then an idle connection, or opens
 * one. When it ends, the next request gets the slot.
 */
export class Connections {
  readonly #limits: Limits;
  readonly #origins = new Map<string, Origin>();
  readonly #open = new Set<Connection>();
  /** Of all origins. The connection that is idle longest comes first. */
  readonly #idle = new Set<Connection>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Connections that are open or being opened. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * A slot of the origin, now or later; undefined: the request ended before. `send` or `releaseSlot` gives it back. `ended` resolves when the
   * request has ended.
   */
  acquireSlot({ name, tls }: OriginId, ended: Promise<unknown>): Origin | Promise<Origin | undefined> {
    const key = tls === undefined ? name : `${name} ${tls}`;
    const at: Origin = this.#origins.get(key) ?? {
      ...{ key, name, tls, usedSlots: 0, ending: 0 },
      ...{ waiting: new Set(), idle: [] },
    };
    this.#origins.set(key, at);
    // Do not open a connection while another one is about to be idle.
    const isSoonFree = at.idle.length === 0 && at.ending > at.waiting.size;
    if (at.usedSlots < this.#limits.perOrigin && !isSoonFree) {
      at.usedSlots++;
      return at;
    }
    return new Promise((resolve) => {
      const begin = (): void => {
        at.usedSlots++;
        resolve(at);
      };
      at.waiting.add(begin);
      void ended.then(() => {
        if (at.waiting.delete(begin)) resolve(undefined);
      });
    });
  }

  /** Whether a request can be sent without opening a connection. */
  hasIdle(origin: Origin): boolean {
    return origin.idle.length > 0;
  }

  /** Sends on an idle connection, or on a new one to the endpoint. The slot is released when the connection is idle or gone. */
  send(origin: Origin, endpoint: Endpoint | undefined, options: SendOptions, exchange: Exchange): void {
    const connection = this.#takeIdle(origin) ?? (endpoint && this.#openConnection(origin, endpoint));
    if (connection === undefined) {
      this.releaseSlot(origin);
      return;
    }
    exchange.setPeer(connection);
    connection.state = 'busy';
    exchange.whenSettled(() => {
      if (!this.#open.has(connection)) return;
      connection.state = 'ending';
      origin.ending++;
      // Nothing was written: the connection is not open, or the request was invalid.
      if (!exchange.started) this.#drop(connection);
    });
    connection.client.dispatch(options, exchange);
  }

  releaseSlot(origin: Origin): void {
    origin.usedSlots--;
    const [next] = origin.waiting;
    if (next !== undefined) {
      origin.waiting.delete(next);
      next();
    } else if (origin.usedSlots === 0 && origin.idle.length === 0) this.#origins.delete(origin.key);
  }

  /** Destroys all connections. */
  async close(): Promise<void> {
    const clients = [...this.#open].map(({ client }) => client);
    for (const { waiting } of this.#origins.values()) waiting.clear();
    for (const connection of this.#open) this.#drop(connection);
    await Promise.all(clients.map((client) => client.destroy()));
  }

  #takeIdle(origin: Origin): Connection | undefined {
    const connection = origin.idle.pop();
    if (connection !== undefined) this.#idle.delete(connection);
    return connection;
  }

  #openConnection(origin: Origin, { connect, isPublic }: Endpoint): Connection {
    for (const longest of this.#idle) {
      if (this.#open.size < this.#limits.total) break;
      this.#drop(longest);
    }
    const client = new Client(origin.name, {
      pipelining: 1,
      connect,
      keepAliveMaxTimeout: origin.tls === undefined ? KEEP_ALIVE_MAX_MS : CERTIFIED_MAX_MS,
      // The transport has its own time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection: Connection = { client, origin, isPublic, state: 'busy' };
    this.#open.add(connection);
    // The connection can take the next request. If it has ended, undici would open another one.
    client.on('drain', () => {
      if (client.stats.connected) this.#markIdle(connection);
      else this.#drop(connection);
    });
    client.on('disconnect', () => {
      if (connection.state === 'idle') this.#drop(connection);
    });
    return connection;
  }

  #markIdle(connection: Connection): void {
    const { origin } = connection;
    if (connection.state === 'idle' || !this.#open.has(connection)) return;
    if (connection.state === 'ending') origin.ending--;
    connection.state = 'idle';
    origin.idle.push(connection);
    this.#idle.add(connection);
    this.releaseSlot(origin);
  }

  #drop(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    const { client, origin, state } = connection;
    void client.destroy();
    if (state === 'ending') origin.ending--;
    if (state !== 'idle') {
      this.releaseSlot(origin);
      return;
    }
    this.#idle.delete(connection);
    const at = origin.idle.indexOf(connection);
    if (at >= 0) origin.idle.splice(at, 1);
    if (origin.usedSlots === 0 && origin.idle.length === 0) this.#origins.delete(origin.key);
  }
}
