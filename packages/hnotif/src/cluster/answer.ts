import type { Dispatcher } from 'undici';
import { Chunks } from './chunks.ts';
import type { KubeError } from './error.ts';

type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];
type Stream = Dispatcher.ResponseData['body'];

/** An answer with its body: the whole text, or a stream. */
export interface Answer<Body extends string | Stream> {
  readonly statusCode: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Sends a request. Rejects with undici's error, or with the signal's reason. */
export type Exchange<Body extends string | Stream> = (
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions & { readonly signal: AbortSignal },
) => Promise<Answer<Body>>;

/** The body as a stream, for long or endless answers. */
export const streamed: Exchange<Stream> = (dispatcher, request) => dispatcher.request(request);

/** The whole body. For a small answer, a stream would cost more than everything else. */
export const whole: Exchange<string> = (dispatcher, { signal, ...request }) =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      handler.end(signal.reason as Error);
    };
    const handler = new Whole((result) => {
      signal.removeEventListener('abort', end);
      if (result instanceof Error) reject(result);
      else resolve(result);
    });
    signal.addEventListener('abort', end, { once: true });
    dispatcher.dispatch(request, handler);
  });

export async function textOf(body: string | Stream): Promise<string> {
  if (typeof body === 'string') return body;
  const text = new Chunks('the answer');
  for await (const chunk of body as AsyncIterable<Buffer>) text.add(chunk);
  return text.take();
}

/** Collects what undici reports about one request. Settles once. */
class Whole implements Dispatcher.DispatchHandler {
  readonly #settle: (result: Answer<string> | Error) => void;
  readonly #text = new Chunks('the answer');
  #settled = false;
  #controller: Controller | undefined;
  #statusCode = 0;
  #headers: Headers = {};

  constructor(settle: (result: Answer<string> | Error) => void) {
    this.#settle = settle;
  }

  /** Ends the request, even while it waits for a connection. */
  end(error: Error): void {
    this.#finish(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Controller): void {
    // It ended while it waited for a connection. After this error undici gives the connection to the next request.
    if (this.#settled) throw new Error('given up');
    this.#controller = controller;
  }

  onResponseStart(_controller: Controller, statusCode: number, headers: Headers): void {
    this.#statusCode = statusCode;
    this.#headers = headers;
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    try {
      this.#text.add(chunk);
    } catch (error) {
      this.end(error as KubeError);
    }
  }

  onResponseEnd(): void {
    this.#finish({ statusCode: this.#statusCode, headers: this.#headers, body: this.#text.take() });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#finish(error);
  }

  #finish(result: Answer<string> | Error): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#settle(result);
  }
}
