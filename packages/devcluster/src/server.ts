import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';

import { readBody } from './body.ts';
import type { Cluster } from './cluster.ts';
import { answer } from './handler.ts';
import { ApiError, badRequest } from './status.ts';
import type { Watches } from './watch.ts';

/** The HTTP side: reads requests, writes what `answer` makes of them. */
export function httpServer(cluster: Cluster, watches: Watches): Server {
  // Longer than clients keep idle connections: one that is reused while we close it costs a request.
  return createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    serve(cluster, watches, request, response).catch((error: unknown) => {
      refuse(request, response, error);
    });
  });
}

async function serve(
  cluster: Cluster,
  watches: Watches,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '/', ...query] = (request.url ?? '/').split('?');
  const method = request.method ?? 'GET';
  const reply = answer(cluster, {
    method,
    path,
    query: new URLSearchParams(query.join('?')),
    headers: request.headers,
    body: method === 'GET' ? Buffer.alloc(0) : await readBody(request),
  });
  if (reply.kind === 'watch') {
    watches.open(reply.watch, response);
    return;
  }
  for (const warning of reply.warnings)
    response.appendHeader('warning', `299 - ${JSON.stringify(printable(warning))}`);
  write(response, reply.code, reply.type, reply.text);
}

/** Header values hold no control characters and nothing beyond Latin-1. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

function write(response: ServerResponse, code: number, type: string, text: string): void {
  response.writeHead(code, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-cache, private',
  });
  response.end(text);
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status } = error instanceof ApiError ? error : asStatus(error);
  // What is left of a body that was too long is not worth reading.
  if (!request.complete) response.setHeader('connection', 'close');
  write(response, status.code, 'application/json', JSON.stringify(status));
}

function asStatus(error: unknown): ApiError {
  if (error instanceof RangeError) return badRequest('json: exceeded max depth');
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, {
    causes: [{ reason: 'InternalError', message }],
  });
}
