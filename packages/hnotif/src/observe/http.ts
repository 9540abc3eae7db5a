import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { systemClock, type Clock } from '@hnotif/core/clock';
import { Connections } from './connections.ts';

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  /** Bytes are sent unchanged, so that many requests can share one answer. */
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The client of a request. */
export interface Asker {
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
  /** The address of the client; `''` when the connection is closed. */
  readonly address: string;
}

/** Answers GET and HEAD of one path. */
export type Route = (asker: Asker) => Answer | Promise<Answer>;

export interface ObserveServerOptions {
  /** The flag with this address. Errors name it. */
  readonly flag: string;
  /** `''`: every interface. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly routes: Readonly<Record<string, Route>>;
  readonly clock?: Clock;
  /** Default 64. */
  readonly maxConnections?: number;
}

export interface ObserveServer {
  /** The URL on this machine: `http://host:port`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and ends open connections. */
  close(): Promise<void>;
}

/** The server cannot listen on its address. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** Scrapes and probes are short requests without a body. The connection of a slower client is closed (milliseconds). */
const TIMES = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };

/** A client must read its answer within this time (milliseconds). */
const ANSWER_MS = 10_000;

/** A connection is closed after this number of requests. */
const MAX_REQUESTS = 1_000;

/** Requests of one connection without a complete answer. Scrapers and probes have one. The connection of a client with more is closed. */
const MAX_UNANSWERED = 4;

/**
 * A small server for metrics and health. Any client on the network may use it, so connections, requests and unread answers are bounded.
 * Rejects with a `ListenError`.
 */
export async function startObserveServer(options: ObserveServerOptions): Promise<ObserveServer> {
  const { host, port, routes, clock = systemClock } = options;
  const connections = new Connections(options.maxConnections);
  const unanswered = new Unanswered(clock);
  const server = createServer(TIMES, (request, response) => {
    if (unanswered.begin(request.socket, response)) void respond(request, response, routes);
  });
  server.maxRequestsPerSocket = MAX_REQUESTS;
  server.on('connection', (socket) => {
    connections.add(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(listenError(options, error));
    });
    server.listen(port, host === '' ? undefined : host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${urlHost(host)}:${address.port}`,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Counts the requests of each connection without a complete answer. */
class Unanswered {
  readonly #clock: Clock;
  readonly #open = new WeakMap<Socket, { count: number; cancel: () => void }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** False: the connection is closed, so the request needs no answer. Node may deliver a request that it had read before. */
  begin(socket: Socket, response: ServerResponse): boolean {
    if (socket.destroyed) return false;
    const state = this.#open.get(socket) ?? this.#first(socket);
    if (state.count === MAX_UNANSWERED) {
      socket.destroy();
      return false;
    }
    state.count++;
    if (state.count === 1) this.#setTimer(socket, state);
    response.once('finish', () => {
      state.count--;
      state.cancel();
      if (state.count > 0) this.#setTimer(socket, state);
    });
    return true;
  }

  #first(socket: Socket): { count: number; cancel: () => void } {
    const state = { count: 0, cancel: () => undefined };
    this.#open.set(socket, state);
    socket.once('close', () => {
      this.#open.get(socket)?.cancel();
    });
    return state;
  }

  #setTimer(socket: Socket, state: { cancel: () => void }): void {
    state.cancel = this.#clock.after(ANSWER_MS, () => {
      socket.destroy();
    });
  }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  routes: ObserveServerOptions['routes'],
): Promise<void> {
  const { status, contentType, body, headers } = await answer(request, routes);
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function answer(request: IncomingMessage, routes: ObserveServerOptions['routes']): Promise<Answer> {
  const path = (request.url ?? '/').replace(/[?#].*$/s, '');
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  const plain = (status: number, body: string): Answer => ({
    status,
    body,
    contentType: 'text/plain; charset=utf-8',
  });
  if (route === undefined) return plain(404, `not found; there are ${Object.keys(routes).join(', ')}\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    // The body is not read.
    return { ...plain(405, 'only GET and HEAD\n'), headers: { allow: 'GET, HEAD', connection: 'close' } };
  try {
    const { authorization } = request.headers;
    return await route({ authorization, address: request.socket.remoteAddress ?? '' });
  } catch (error) {
    return plain(500, `${error instanceof Error ? error.message : 'failed'}\n`);
  }
}

function listenError({ flag, host, port }: ObserveServerOptions, error: Error): ListenError {
  const code = 'code' in error ? error.code : undefined;
  const where = `${host === '' ? '' : urlHost(host)}:${port}`;
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: 'the port is taken by another program',
    EACCES: 'ports below 1024 need a privilege',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'there is no such host',
  };
  const reason = (typeof code === 'string' ? why[code] : undefined) ?? error.message;
  return new ListenError(`cannot listen on ${where}: ${reason}; choose another with ${flag}`, {
    cause: error,
  });
}

function urlHost(host: string): string {
  if (host === '') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
