import { Client } from 'undici';
import type { Way } from './connect.ts';
import type { Exchange } from './exchange.ts';

/** A connection that rests for so long is closed whatever keep-alive the receiver offers (undici closes it, as one of which the receiver offers nothing after 4 s). */
const KEEP_ALIVE_MAX_MS = 60_000;

type SendOptions = Parameters<Client['dispatch']>[0];

interface Limits {
  /** Connections to one origin. */
  readonly perOrigin: number;
  /** Connections in all: the one that rests longest is closed for the next. */
  readonly inAll: number;
}

interface Origin {
  readonly name: string;
  /** Turns that are held: each has a connection, or is about to open one. */
  turns: number;
  /** Of them those whose request has its answer: a turn of the loop later the connection rests or is gone. */
  ending: number;
  /** Requests that wait for a turn. */
  readonly waiting: Set<() => void>;
  /** The one that was used last stands last. */
  readonly resting: Connection[];
}

interface Connection {
  readonly client: Client;
  readonly origin: Origin;
  readonly isPublic: boolean;
  state: 'busy' | 'ending' | 'resting';
}

/**
 * The open connections, each of which serves one request at a time. A request with a turn of its origin takes a
 * connection that rests, or opens one; with its end the turn goes to the next.
 */
export class Connections {
  readonly #limits: Limits;
  readonly #origins = new Map<string, Origin>();
  readonly #open = new Set<Connection>();
  /** Of all origins; the one that rests longest stands first. */
  readonly #resting = new Set<Connection>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** How many are open or being opened. */
  get size(): number {
    return this.#open.size;
  }

  /** Calls `go` when there is a turn, which `send` or `leave` takes: at once, or later. Returns what calls it off until then. */
  enter(name: string, go: (origin: Origin) => void): () => void {
    let origin = this.#origins.get(name);
    if (origin === undefined)
      this.#origins.set(name, (origin = { name, turns: 0, ending: 0, waiting: new Set(), resting: [] }));
    const at = origin;
    const begin = (): void => {
      at.turns++;
      go(at);
    };
    // It is no use to open a connection while one is about to rest.
    const isSoonFree = at.resting.length === 0 && at.ending > at.waiting.size;
    if (at.turns < this.#limits.perOrigin && !isSoonFree) begin();
    else at.waiting.add(begin);
    return () => {
      at.waiting.delete(begin);
    };
  }

  /** Whether a request can be sent without opening a connection. */
  hasResting(origin: Origin): boolean {
    return origin.resting.length > 0;
  }

  /** Sends, by a connection that rests, else by a new one that goes this way. The turn ends when the connection rests or is gone. */
  send(origin: Origin, way: Way | undefined, options: SendOptions, exchange: Exchange): void {
    const connection = this.#takeResting(origin) ?? (way && this.#openTo(origin, way));
    if (connection === undefined) {
      this.leave(origin);
      return;
    }
    exchange.goesTo(connection);
    connection.state = 'busy';
    exchange.whenSettled(() => {
      if (!this.#open.has(connection)) return;
      connection.state = 'ending';
      origin.ending++;
      // Nothing was written: it is still being opened, or could not be, or the request was none.
      if (!exchange.started) this.#drop(connection);
    });
    connection.client.dispatch(options, exchange);
  }

  /** Gives a turn back. */
  leave(origin: Origin): void {
    origin.turns--;
    const [next] = origin.waiting;
    if (next !== undefined) {
      origin.waiting.delete(next);
      next();
    } else if (origin.turns === 0 && origin.resting.length === 0) this.#origins.delete(origin.name);
  }

  /** Destroys all. */
  async close(): Promise<void> {
    const clients = [...this.#open].map(({ client }) => client);
    for (const { waiting } of this.#origins.values()) waiting.clear();
    for (const connection of this.#open) this.#drop(connection);
    await Promise.all(clients.map((client) => client.destroy()));
  }

  #takeResting(origin: Origin): Connection | undefined {
    const connection = origin.resting.pop();
    if (connection !== undefined) this.#resting.delete(connection);
    return connection;
  }

  #openTo(origin: Origin, { connect, isPublic }: Way): Connection {
    for (const longest of this.#resting) {
      if (this.#open.size < this.#limits.inAll) break;
      this.#drop(longest);
    }
    const client = new Client(origin.name, {
      pipelining: 1,
      connect,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      // The exchange has one limit of its own over everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection: Connection = { client, origin, isPublic, state: 'busy' };
    this.#open.add(connection);
    // It can take the next request; or it has ended, and would be opened anew for that.
    client.on('drain', () => {
      if (client.stats.connected) this.#rest(connection);
      else this.#drop(connection);
    });
    client.on('disconnect', () => {
      if (connection.state === 'resting') this.#drop(connection);
    });
    return connection;
  }

  #rest(connection: Connection): void {
    const { origin } = connection;
    if (connection.state === 'resting' || !this.#open.has(connection)) return;
    if (connection.state === 'ending') origin.ending--;
    connection.state = 'resting';
    origin.resting.push(connection);
    this.#resting.add(connection);
    this.leave(origin);
  }

  #drop(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    const { client, origin, state } = connection;
    void client.destroy();
    if (state === 'ending') origin.ending--;
    if (state !== 'resting') {
      this.leave(origin);
      return;
    }
    this.#resting.delete(connection);
    const at = origin.resting.indexOf(connection);
    if (at >= 0) origin.resting.splice(at, 1);
    if (origin.turns === 0 && origin.resting.length === 0) this.#origins.delete(origin.name);
  }
}
