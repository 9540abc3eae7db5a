import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach } from 'vitest';
import { Transport } from './client.ts';
import type { TransportOptions } from './client.ts';
import type { Reply } from './reply.ts';

/** What a test has opened; closed after it, the last first. */
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A client that may speak plain http to loopback. */
export function transport(options: TransportOptions = {}): Transport {
  const made = new Transport({ allowInsecureHttp: true, ...options });
  closers.push(() => made.close());
  return made;
}

export async function serve(listener: RequestListener): Promise<{ url: URL; server: Server }> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return { url: new URL(`http://127.0.0.1:${portOf(server)}/hook?a=b`), server };
}

/** A receiver that is not even HTTP: gets the socket once the first bytes have come. */
export async function serveRaw(onBytes: (socket: Socket, bytes: Buffer) => void): Promise<URL> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      onBytes(socket, bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((done) => server.close(done));
  });
  return new URL(`http://127.0.0.1:${portOf(server)}/`);
}

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

/** A port on which nothing listens. */
export async function unusedPort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  await new Promise((done) => server.close(done));
  return port;
}

/** One POST of a short text. */
export const post = (
  by: Transport,
  url: URL,
  more: { signal?: AbortSignal; timeoutMs?: number; body?: string } = {},
): Promise<Reply> => by.post({ url, headers: { 'content-type': 'text/plain' }, body: 'hello', ...more });
