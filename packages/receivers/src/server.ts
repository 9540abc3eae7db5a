import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { parseJson, readBody, type Body } from './body.ts';
import { makeChecks, type Findings, type Message } from './checks.ts';
import { afterUnlessClosed, sendPlain, type Exchange, type PlainAnswer } from './exchange.ts';
import { answerOf, play } from './faults.ts';
import type { Answer, WebhookRecord } from './record.ts';
import { Records, type RecordCounts, type RecordPredicate } from './records.ts';
import { FaultRules } from './rules.ts';
import { realAfter, type After } from './timer.ts';

export interface WebhookReceiverOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free one. A taken port rejects with the code EADDRINUSE. */
  readonly port?: number;
  /** The one path that takes messages; others answer 404. Default: all do, and `url` ends with `/`. */
  readonly path?: string;
  /** JSON Schema (draft 2020-12) for every body; what does not satisfy it is answered 422. Default: anything goes. */
  readonly schema?: object;
  /**
   * Standard Webhooks secrets (`whsec_…`); a message that none of them has signed is answered 401. Default: none,
   * signatures are not checked.
   */
  readonly signingSecrets?: readonly string[];
  /** How many records are kept, the oldest go first. Default 10,000; with larger bodies lower it, they stay in memory. */
  readonly keep?: number;
  /** Wall clock, milliseconds since the epoch. Default: the system's. */
  readonly now?: () => number;
  /** Timer of latency and slow drip. Default: the system's. */
  readonly after?: After;
  /** Uniform in [0, 1), for rules with a probability. Default: the system's. */
  readonly random?: () => number;
}

export interface ReceiverStats extends RecordCounts {
  /** Open connections. */
  readonly connections: number;
  /** Requests that hang just now. */
  readonly hanging: number;
}

/** Starts a receiver; resolves when it listens. Throws (rejects) on a bad schema, secret or `keep`. */
export async function startWebhookReceiver(options: WebhookReceiverOptions = {}): Promise<WebhookReceiver> {
  const receiver = new WebhookReceiver(options);
  await receiver.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  return receiver;
}

/** A webhook endpoint that keeps and checks all it gets, and misbehaves when told to. */
export class WebhookReceiver {
  /** The ways to misbehave. */
  readonly faults: FaultRules;
  readonly #path: string;
  readonly #checks: (message: Message) => Findings;
  readonly #clock: { readonly now: () => number; readonly after: After };
  readonly #records: Records;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #hung = new Set<() => void>();
  #url = '';
  #closed: Promise<void> | undefined;

  constructor(options: WebhookReceiverOptions) {
    this.faults = new FaultRules(options.random ?? Math.random);
    const { path, schema, signingSecrets } = options;
    this.#path = path ?? '/';
    this.#checks = makeChecks({ path, schema, signingSecrets });
    this.#clock = { now: options.now ?? Date.now, after: options.after ?? realAfter };
    this.#records = new Records(options.keep ?? 10_000);
    // No idle time-out: a connection that ends just as a sender writes to it would be a fault that nobody asked for.
    this.#server = createServer({ keepAliveTimeout: 0 }, (req, res) => {
      this.#handle(req, res).catch((error: unknown) => {
        req.socket.destroy();
        throw error; // A predicate of a rule threw: the test that wrote it must hear of it.
      });
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** `startWebhookReceiver` calls it. */
  listen(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        this.#url = `http://${host.includes(':') ? `[${host}]` : host}:${this.port}${this.#path}`;
        resolve();
      });
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  /** Where to send messages. */
  get url(): string {
    return this.#url;
  }

  /** The newest `keep` requests, oldest first: a live view. */
  get records(): readonly WebhookRecord[] {
    return this.#records.all;
  }

  /** Calls `listener` for each request, before it is answered; returns what ends that. */
  onRecord(listener: (record: WebhookRecord) => void): () => void {
    return this.#records.onRecord(listener);
  }

  /**
   * Resolves with the predicate's result as soon as, over all records, it is neither false nor undefined. Looks now
   * and at each change. Rejects after `timeoutMs` (real milliseconds, default 20,000), at `close`, or with what the
   * predicate throws; the error lists what did arrive.
   */
  waitFor<T>(predicate: RecordPredicate<T>, options: { readonly timeoutMs?: number } = {}): Promise<T> {
    return this.#records.waitFor(predicate, options.timeoutMs);
  }

  stats(): ReceiverStats {
    return { ...this.#records.counts(), connections: this.#sockets.size, hanging: this.#hung.size };
  }

  /** Answers all requests that hang, as if they had met no fault; returns how many. Their records say so. */
  release(): number {
    const hung = [...this.#hung];
    for (const answer of hung) answer();
    return hung.length;
  }

  /** Ends the server, every connection and every wait at once. */
  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      for (const socket of this.#sockets) socket.destroy();
      this.#records.close();
    });
    return this.#closed;
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const arrivedAt = this.#clock.now();
    const arrivedMonotonic = performance.now();
    const { method = '', url: path = '', headers } = req;
    const id = typeof headers['webhook-id'] === 'string' ? headers['webhook-id'] : '';
    const attempt = this.#records.nextAttempt(id);

    let whole: Promise<Body> | undefined;
    const readWhole = (): Promise<Body> => (whole ??= readBody(req));
    const json = async (): Promise<unknown> => parseJson((await readWhole()).bytes).json;
    const fault = await this.faults.choose({ path, headers, id, attempt }, json);
    const cut = fault?.kind === 'reset-before-accept';
    // A rule that asked for the JSON has read the whole body already.
    const body = await (cut && whole === undefined ? readBody(req, fault.afterBytes ?? 0) : readWhole());

    const { record, plain } = this.#checks({ method, path, headers, body, arrivedAt });
    const gone = !body.complete && !cut;
    const answered = gone ? NO_ANSWER : fault === undefined ? plainAnswer(plain) : answerOf(fault, plain);
    const { number } = this.#records.add({
      arrivedAt,
      arrivedMonotonic,
      method,
      path,
      headers,
      id,
      attempt,
      rawBody: body.bytes,
      complete: body.complete,
      ...record,
      answered,
    });
    if (gone) return;
    const { now, after } = this.#clock;
    const hang = (): void => {
      this.#hang(res, plain, number);
    };
    const exchange: Exchange = { req, res, plain, now, after: afterUnlessClosed(res, after), hang };
    if (fault === undefined) sendPlain(exchange);
    else play(fault, exchange);
  }

  #hang(res: ServerResponse, plain: PlainAnswer, number: number): void {
    if (res.destroyed) return;
    const answer = (): void => {
      this.#hung.delete(answer);
      this.#records.amend(number, { ...plainAnswer(plain), fault: 'hang' });
      sendPlain({ res, plain });
    };
    this.#hung.add(answer);
    res.once('close', () => this.#hung.delete(answer));
  }
}

/** The sender went away before its message was whole. */
const NO_ANSWER: Answer = { status: undefined, fault: undefined, accepted: false };

function plainAnswer({ status, accepted }: PlainAnswer): Answer {
  return { status, fault: undefined, accepted };
}
