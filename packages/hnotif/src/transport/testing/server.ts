import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { ServerOptions } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { Transport } from '../client.ts';
import type { TransportOptions } from '../client.ts';
import type { PostRequest, Reply } from '@hnotif/core/requests';
import { settle } from '../../../../core/src/testing/clock.ts';
import type { Resolve } from '../lookups.ts';

/** Egress rules that permit receivers on this machine. */
const TO_LOOPBACK = { allow: ['127.0.0.0/8', '::1'] };

/** A client that may speak to loopback, plain http too, and has turns for look-ups. */
export function transport(options: TransportOptions = {}): Transport {
  const made = new Transport({
    ...{ allowInsecureHttp: true, egress: TO_LOOPBACK, lookups: 16, ...options },
  });
  onTestFinished(async () => {
    await made.close();
  });
  return made;
}

export async function serve(listener: RequestListener): Promise<{ url: URL; server: Server }> {
  const server = createServer(listener);
  return { url: new URL(`http://127.0.0.1:${await listen(server)}/hook?a=b`), server };
}

/** An https receiver that answers with the SNI name and the Host header. */
export async function serveTls(options: ServerOptions): Promise<{ port: number; asked: () => number }> {
  let requests = 0;
  const server = createTlsServer(options, (request, response) => {
    requests++;
    const { servername } = request.socket as TLSSocket & { servername: string | false };
    response.end(`${String(servername)} ${request.headers.host ?? ''}`);
  });
  return { port: await listen(server), asked: () => requests };
}

/** A receiver that need not speak HTTP: `onBytes` gets the socket and the first bytes. */
export async function serveRaw(onBytes: (socket: Socket, bytes: Buffer) => void): Promise<URL> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      onBytes(socket, bytes);
    });
  });
  return new URL(`http://127.0.0.1:${await listen(server)}/`);
}

/** Waits until `count` of the connections that the client opens from now on have read `bytes` each. */
export function clientEnds(): (bytes: number, count?: number) => Promise<void> {
  const sockets: Socket[] = [];
  const onConnected = (message: unknown): void => {
    sockets.push((message as { socket: Socket }).socket);
  };
  subscribe('undici:client:connected', onConnected);
  onTestFinished(() => void unsubscribe('undici:client:connected', onConnected));
  return async (bytes, count = 1) => {
    while (sockets.filter(({ bytesRead }) => bytesRead >= bytes).length < count) await settle();
  };
}

/** Resolves when the connection is closed, by whom and how ever. */
export function end(socket: Socket): Promise<void> {
  socket.on('error', () => {});
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** The local port on which it listens until the test ends; 0: any. */
export async function listen(server: TcpServer, port = 0): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    await closed;
  });
  return portOf(server);
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

/** A resolver: every name has this machine's address. */
export const toLoopback: Resolve = (_name, done) => {
  done(null, [{ address: '127.0.0.1', family: 4 }]);
};

/** A resolver: no name exists. */
export const toNowhere: Resolve = (_name, done) => {
  done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
};

/** One POST of a short text. */
export const post = (by: Transport, url: URL, more: Partial<PostRequest> = {}): Promise<Reply> =>
  by.post({ url, owner: 'team-a', headers: { 'content-type': 'text/plain' }, body: 'hello', ...more });
