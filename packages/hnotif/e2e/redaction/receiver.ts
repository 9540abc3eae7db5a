import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** What is answered to one request. */
export type Answer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: string;
      readonly type?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Bytes that are no HTTP. */
  | { readonly kind: 'garbage'; readonly bytes: string }
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang' };

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A receiver of any kind, which answers as `answer` says. Every connection is for one request. */
export async function startEchoReceiver(answer: (request: ReceivedRequest) => Answer): Promise<number> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url: path = '', headers } = request;
    const given = answer({ path, headers, body: await text(request) });
    switch (given.kind) {
      case 'hang':
        return;
      case 'reset':
        request.socket.resetAndDestroy();
        return;
      case 'garbage':
        request.socket.end(given.bytes);
        return;
      case 'answer': {
        const { status, type = 'text/plain', body, headers: more } = given;
        response.writeHead(status, { connection: 'close', 'content-type': type, ...more });
        response.end(body);
      }
    }
  };
  const server = createServer((request, response) => {
    // The client has gone: an aborted request is read to no end.
    respond(request, response).catch(() => response.destroy());
  });
  // To those who take it for a proxy it repeats all that they say.
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Duplex) => {
    const echo = JSON.stringify(headers);
    socket.on('error', () => undefined);
    socket.end(`HTTP/1.1 407 ${echo}\r\nProxy-Authenticate: Basic realm=${echo}\r\n\r\n${url} ${echo}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
