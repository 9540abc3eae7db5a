import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';

/** What is answered to one request. */
export type Answer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: string;
      readonly type?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Bytes that are not HTTP. */
  | { readonly kind: 'garbage'; readonly bytes: string }
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang' };

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export const ok = (body = 'ok', type = 'text/plain'): Answer => ({ kind: 'answer', status: 200, body, type });

export interface Answering {
  readonly port: number;
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/** Connections stay open. */
const KEPT = { keepAliveTimeout: 0 };

export interface AnsweringOptions {
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  /** Called with the socket of a request to a proxy, instead of `answer`. */
  readonly onConnect?: (request: IncomingMessage, socket: Duplex) => void;
}

/** A receiver that answers each request as `answer` says. It knows nothing of messages: packages/receivers has those that judge them. */
export async function startAnswering(
  answer: (request: ReceivedRequest) => Answer,
  { tls, onConnect }: AnsweringOptions = {},
): Promise<Answering> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url: path = '', headers } = request;
    const given = answer({ path, headers, body: await text(request) });
    if (given.kind === 'reset') request.socket.resetAndDestroy();
    else if (given.kind === 'garbage') request.socket.end(given.bytes);
    else if (given.kind === 'answer') {
      const { status, type = 'text/plain', body, headers: more } = given;
      response.writeHead(status, { 'content-type': type, ...more }).end(body);
    }
  };
  const listener: RequestListener = (request, response) => {
    // The client has gone: an aborted request is read to no end.
    respond(request, response).catch(() => response.destroy());
  };
  const server =
    tls === undefined ? createServer(KEPT, listener) : createTlsServer({ ...KEPT, ...tls }, listener);
  if (onConnect) server.on('connect', onConnect);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve()).closeAllConnections();
      }),
  };
}
