import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Clock } from '@hnotif/core/clock';
import { staticAuth } from '../auth.ts';
import type { ApiRequestsOptions } from '../api-requests.ts';
import { KubeClient } from '../client.ts';
import type { Authenticator, ClusterAccess } from '../credentials.ts';

/** A request that has come, which the test answers. */
export class Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse, text: string) {
    const url = new URL(request.url ?? '', 'http://fake');
    this.method = request.method ?? '';
    this.path = url.pathname;
    this.query = url.searchParams;
    this.headers = request.headers;
    this.text = text;
    this.#response = response;
  }

  get json(): unknown {
    return JSON.parse(this.text) as unknown;
  }

  answer(status: number, body: object | string, headers: Record<string, string> = {}): void {
    this.#response.writeHead(status, { 'content-type': 'application/json', ...headers });
    this.#response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** A `Status`, as the API server refuses. */
  refuse(code: number, reason: string, headers: Record<string, string> = {}): void {
    this.answer(code, { kind: 'Status', code, reason, message: `refused: ${reason}` }, headers);
  }

  /** Answers as a watch; resolves once the head is written. */
  open(): this {
    this.#response.writeHead(200, { 'content-type': 'application/json' });
    this.#response.flushHeaders();
    return this;
  }

  write(...events: readonly (object | string | Uint8Array)[]): this {
    for (const event of events)
      this.#response.write(
        typeof event === 'string' || event instanceof Uint8Array ? event : `${JSON.stringify(event)}\n`,
      );
    return this;
  }

  end(): void {
    this.#response.end();
  }

  /** Cuts the connection. */
  reset(): void {
    this.#response.destroy();
  }

  /** Resolves when the client has gone. */
  async gone(): Promise<void> {
    if (!this.#response.destroyed) await once(this.#response, 'close');
  }
}

/** An API server that answers nothing by itself: the test takes each request and answers it. */
export class FakeApi {
  readonly url: string;
  readonly #waiting: Exchange[] = [];
  readonly #takers: ((exchange: Exchange) => void)[] = [];

  private constructor(url: string) {
    this.url = url;
  }

  /** It is gone when the test ends. */
  static async start(): Promise<FakeApi> {
    let take: (exchange: Exchange) => void = () => undefined;
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        take(new Exchange(request, response, Buffer.concat(chunks).toString()));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const api = new FakeApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    take = (exchange) => {
      const taker = api.#takers.shift();
      if (taker === undefined) api.#waiting.push(exchange);
      else taker(exchange);
    };
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return api;
  }

  /** The next request, when it comes. */
  next(): Promise<Exchange> {
    const waiting = this.#waiting.shift();
    return waiting ? Promise.resolve(waiting) : new Promise((resolve) => this.#takers.push(resolve));
  }

  /** Requests that no test has taken. */
  get pending(): number {
    return this.#waiting.length;
  }

  access(authenticator: Authenticator = staticAuth({})): ClusterAccess {
    return {
      source: 'a test',
      server: this.url,
      namespace: 'default',
      tls: { ca: undefined, serverName: undefined, insecure: false },
      proxyUrl: undefined,
      authenticator,
    };
  }

  /** A client of this server; it is closed when the test ends. */
  client(clock: Clock, options: Partial<ApiRequestsOptions> = {}): KubeClient {
    const client = new KubeClient({ access: this.access(), clock, ...options });
    onTestFinished(() => client.close());
    return client;
  }
}

/** Lets the event loop turn until `condition` holds; the test's own time-out is the bound. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
