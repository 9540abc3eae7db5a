import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Answers GET and HEAD of one path. */
export type Route = () => Answer | Promise<Answer>;

export interface ObserveServerOptions {
  /** The flag that says where to listen: named in the error when that does not work. */
  readonly flag: string;
  /** `''`: every interface. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly routes: Readonly<Record<string, Route>>;
}

export interface ObserveServer {
  /** Where to find it from this machine: `http://host:port`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and ends open connections. */
  close(): Promise<void>;
}

/** The address cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** A small server for what is observed: metrics, health. Rejects with a `ListenError`. */
export async function startObserveServer(options: ObserveServerOptions): Promise<ObserveServer> {
  const { host, port, routes } = options;
  const server = createServer((request, response) => {
    void respond(request, response, routes);
  });
  // A scrape is a short request: whoever needs longer has gone to sleep.
  server.requestTimeout = 10_000;
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

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  routes: ObserveServerOptions['routes'],
): Promise<void> {
  const { status, contentType, body, allow } = await answer(request, routes);
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(allow !== undefined && { allow }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function answer(
  request: IncomingMessage,
  routes: ObserveServerOptions['routes'],
): Promise<Answer & { allow?: string }> {
  const path = (request.url ?? '/').replace(/[?#].*$/s, '');
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  const plain = (status: number, body: string): Answer => ({
    status,
    body,
    contentType: 'text/plain; charset=utf-8',
  });
  if (route === undefined) return plain(404, `not found; there are ${Object.keys(routes).join(', ')}\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { ...plain(405, 'only GET and HEAD\n'), allow: 'GET, HEAD' };
  try {
    return await route();
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
