import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

import { requestInfoOf } from './request-info.ts';
import type { Certificate } from './authority.ts';
import type { May } from './authorize.ts';
import { authorize, everything, rightsOf } from './authorize.ts';
import { readBody } from './body.ts';
import type { Cluster } from './cluster.ts';
import type { Connections } from './connections.ts';
import { cutAfter } from './cut.ts';
import type { FaultList } from './faults.ts';
import { answer } from './handler.ts';
import { refuseWebPages } from './local.ts';
import { readRoute } from './route.ts';
import { ApiError, badRequest, unauthorized } from './status.ts';
import type { Issue } from './token-request.ts';
import type { User, UserList } from './users.ts';
import { ANONYMOUS } from './users.ts';
import type { Watches } from './watch.ts';
import type { Request } from './where.ts';

/** The steps of a request. */
export interface Way {
  readonly cluster: Cluster;
  readonly watches: Watches;
  readonly connections: Connections;
  readonly faults: FaultList;
  readonly users: UserList;
  /** Whether each request is authenticated. */
  readonly auth: boolean;
  /** Whether requests that a web page can send are refused. */
  readonly loopbackOnly: boolean;
  /** Called with each list that is answered and each watch that is opened. */
  readonly onLook: ((info: Request) => void) | undefined;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Longer than clients keep idle connections: if a client reuses one while the server closes it, the request is lost. */
const PATIENCE = { keepAliveTimeout: 120_000 };

export const httpServer = (): Server => createServer(PATIENCE);

/** With TLS. A certificate of the authority identifies its client; clients without one are accepted too. */
export const httpsServer = (certificate: Certificate, ca: string): Server =>
  createTlsServer({ ...PATIENCE, ...certificate, ca, requestCert: true, rejectUnauthorized: false });

/** The HTTP side: reads requests, and writes the results of `answer`. */
export const requestListener =
  (way: Way): Listener =>
  (request, response) => {
    serve(way, request, response).catch((error: unknown) => {
      refuse(request, response, error);
    });
  };

/**
 * Handles a request: first checks whether it may be sent at all, then applies the faults of tests, then authenticates and authorizes it,
 * then answers it.
 */
async function serve(way: Way, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { cluster, watches, connections, faults, users, auth, loopbackOnly, onLook } = way;
  response.setHeader('date', new Date(cluster.now()).toUTCString());
  const [path = '/', ...rest] = (request.url ?? '/').split('?');
  const query = new URLSearchParams(rest.join('?'));
  const method = request.method ?? 'GET';
  if (loopbackOnly) refuseWebPages(method, request.headers);
  const body = method === 'GET' ? Buffer.alloc(0) : await readBody(request);
  const user = auth ? users.identify(request) : undefined;
  const info = { ...requestInfoOf(readRoute(path), method, path, query), user: user?.name };
  const fate = await faults.meet(info, gone(response));
  if (fate.kind === 'left') return;
  if (fate.kind === 'reset') {
    connections.reset(response);
    return;
  }
  if (fate.kind === 'refused') throw fate.error;
  if (fate.cutAfter !== undefined) cutAfter(response, fate.cutAfter);
  try {
    const mayOf = (other: User): May => (auth ? rightsOf(cluster, other) : everything);
    const may = user ? mayOf(user) : everything;
    if (auth) {
      if (!user) throw unauthorized();
      if (request.headers['impersonate-user'] !== undefined)
        throw badRequest('nobody can be impersonated here');
      authorize(user, may, info);
    }
    const reviewer = { user: user ?? ANONYMOUS, may, mayOf, userOf: (token: string) => users.ofToken(token) };
    const issue: Issue = (name, expiresAt) => users.token(name, { expiresAt });
    const call = { method, path, query, headers: request.headers, body, reviewer, issue };
    const reply = answer(cluster, call);
    if (fate.resetAfter) return;
    if (reply.kind === 'watch') {
      if (watches.open(reply.watch, info, response)) onLook?.(info);
      return;
    }
    for (const warning of reply.warnings)
      response.appendHeader('warning', `299 - ${JSON.stringify(printable(warning))}`);
    write(response, reply.code, reply.type, reply.text);
    if (info.verb === 'list') onLook?.(info);
  } finally {
    if (fate.resetAfter) connections.reset(response);
  }
}

/** Aborted when the client has disconnected before the answer. */
function gone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    controller.abort();
  });
  return controller.signal;
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
  const wait = status.details?.retryAfterSeconds;
  if (wait !== undefined) response.setHeader('retry-after', wait);
  // The rest of an oversized body is not read.
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
