import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isForm, parseForm, parseJson, readBody, type Body } from './body.ts';
import { afterUnlessClosed, sendPlain, type Exchange } from './exchange.ts';
import { accepts, play, statusOf } from './faults.ts';
import type { Answer, RequestRecord } from './record.ts';
import { Records, type RecordCounts, type RecordPredicate } from './records.ts';
import { FaultRules } from './rules.ts';
import { realAfter, type After } from './timer.ts';
import type { Handler, PlainAnswer, Decision } from './decision.ts';

/** The options of all receivers. */
export interface ReceiverOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. A used port rejects with the code EADDRINUSE. */
  readonly port?: number;
  /**
   * The number of stored records. The oldest are removed first. Default 10,000. Use less with large bodies, because they stay in memory.
   */
  readonly keep?: number;
  /**
   * The number of messages that a chat stores in each channel, and of the edits of each message. The oldest are removed first, as if people had
   * deleted them; a thread is as old as its last change. Default: all.
   */
  readonly keepMessages?: number;
  /** Wall clock, milliseconds since the epoch. Default: the system's. */
  readonly now?: () => number;
  /** Timer of latency and slow drip. Default: the system's. */
  readonly after?: After;
  /** Uniform in [0, 1), for rules with a probability. Default: the system's. */
  readonly random?: () => number;
}

/** The parts that turn a server into a receiver. */
export interface ReceiverKind<F extends object> {
  /** Path that `url` ends with. */
  readonly path: string;
  readonly handle: Handler<F>;
  /** One line about a record, for people who look for an error. */
  readonly describe: (record: RequestRecord & F) => string;
}

export interface ReceiverStats extends RecordCounts {
  /** Open connections. */
  readonly connections: number;
  /** Requests that hang, or are answered late. */
  readonly hanging: number;
}

/**
 * An HTTP server that stores all requests and has faults on request. Its handler decides about each request. `F`: the handler's findings,
 * which the records have besides the request.
 */
export class Receiver<F extends object> {
  /** The rules for faults. */
  readonly faults: FaultRules;
  readonly #options: ReceiverOptions;
  readonly #kind: ReceiverKind<F>;
  readonly #clock: { readonly now: () => number; readonly after: After };
  readonly #records: Records<F>;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #held = new Set<Held>();
  #origin = '';
  #closed: Promise<void> | undefined;

  constructor(options: ReceiverOptions, kind: ReceiverKind<F>) {
    this.faults = new FaultRules(options.random ?? Math.random);
    this.#options = options;
    this.#kind = kind;
    this.#clock = { now: options.now ?? Date.now, after: options.after ?? realAfter };
    this.#records = new Records(options.keep ?? 10_000, kind.describe);
    // No idle time-out: it could close a connection during a write of a sender, which would be an additional fault.
    this.#server = createServer({ keepAliveTimeout: 0 }, (req, res) => {
      this.#handle(req, res).catch((error: unknown) => {
        req.socket.destroy();
        throw error; // A predicate of a rule threw: its test must see the error.
      });
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Called once by the start function. Resolves when it listens. */
  listen(): Promise<void> {
    const { port = 0, host = '127.0.0.1' } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        this.#origin = `http://${host.includes(':') ? `[${host}]` : host}:${this.port}`;
        resolve();
      });
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  /** Scheme, host and port, without a slash at the end. */
  get origin(): string {
    return this.#origin;
  }

  /** Where to send messages. */
  get url(): string {
    return this.#origin + this.#kind.path;
  }

  /** The newest `keep` requests, oldest first: a live view. */
  get records(): readonly (RequestRecord & F)[] {
    return this.#records.all;
  }

  /** Calls `listener` for each request, before it is answered. Returns a function that ends that. */
  onRecord(listener: (record: RequestRecord & F) => void): () => void {
    return this.#records.onRecord(listener);
  }

  /** Calls `listener` for each request that hung or was late, when it is settled. Returns a function that ends that. */
  onAmended(listener: (record: RequestRecord & F) => void): () => void {
    return this.#records.onAmended(listener);
  }

  /**
   * Resolves with the predicate's result for all records when it is neither false nor undefined. Checks now and at each change. Rejects
   * after `timeoutMs` (real milliseconds, default 240,000), at `close`, or with the predicate's error. The error lists the records.
   */
  waitFor<T>(
    predicate: RecordPredicate<RequestRecord & F, T>,
    options: { readonly timeoutMs?: number } = {},
  ): Promise<T> {
    return this.#records.waitFor(predicate, options.timeoutMs);
  }

  stats(): ReceiverStats {
    return { ...this.#records.counts(), connections: this.#sockets.size, hanging: this.#held.size };
  }

  /** Answers all requests that hang or are late, as without a fault. Returns their number. The records are updated. */
  release(): number {
    const all = [...this.#held];
    for (const { answer } of all) answer();
    return all.length;
  }

  /** Ends the server, every connection and every wait at once. */
  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      for (const { cancel } of this.#held) cancel();
      this.#held.clear();
      for (const socket of this.#sockets) socket.destroy();
      this.#records.close();
    });
    return this.#closed;
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { now, after } = this.#clock;
    const arrivedAt = now();
    const arrivedMonotonic = performance.now();
    const { method = '', url: path = '', headers } = req;
    const id = typeof headers['webhook-id'] === 'string' ? headers['webhook-id'] : '';
    const attempt = this.#records.nextAttempt(id);

    let whole: Promise<Body> | undefined;
    const readWhole = (): Promise<Body> => (whole ??= readBody(req));
    const parsed = async (): Promise<unknown> => {
      const { bytes } = await readWhole();
      return isForm(headers['content-type']) ? parseForm(bytes.toString()) : parseJson(bytes).json;
    };
    const fault = await this.faults.choose({ path, headers, id, attempt }, parsed);
    const cut = fault?.kind === 'reset-before-accept';
    // A rule that needed the content has already read the whole body.
    const body = await (cut && whole === undefined ? readBody(req, fault.afterBytes ?? 0) : readWhole());
    const gone = !body.complete && !cut;

    const settling = new Settling(this.#kind.handle({ method, path, headers, body, arrivedAt }));
    const { takes, plain } = settling;
    const answered = ((): Answer => {
      if (gone) return { status: undefined, fault: undefined, accepted: false };
      if (fault === undefined) return { status: plain().status, fault, accepted: takes };
      const accepted = takes && accepts(fault);
      if (accepted) plain();
      return { status: statusOf(fault, plain), fault: fault.kind, accepted };
    })();
    const { number } = this.#records.add({
      arrivedAt,
      arrivedMonotonic,
      method,
      path,
      headers,
      rawBody: body.bytes,
      complete: body.complete,
      id,
      attempt,
      answered,
      ...settling.findings,
    });
    if (gone) return;
    const hang = (): void => {
      if (res.destroyed) return;
      const held = this.#hold(res, settling, number, 'hang');
      res.once('close', () => this.#held.delete(held));
    };
    const late = (ms?: number): void => {
      const held = this.#hold(res, settling, number, 'late');
      if (ms !== undefined) held.cancel = after(ms, held.answer);
    };
    const exchange: Exchange = { req, res, plain, now, after: afterUnlessClosed(res, after), hang, late };
    if (fault === undefined) sendPlain(exchange);
    else play(fault, exchange);
  }

  /** Remembers a request without an answer. */
  #hold(res: ServerResponse, settling: Settling<F>, number: number, fault: 'hang' | 'late'): Held {
    const held: Held = {
      answer: () => {
        held.cancel();
        this.#held.delete(held);
        const { plain, takes } = settling;
        const { status } = plain();
        const answered: Answer = { status: res.destroyed ? undefined : status, fault, accepted: takes };
        this.#records.amend(number, { ...settling.findings, answered });
        if (!res.destroyed) sendPlain({ res, plain });
      },
      cancel: () => undefined,
    };
    this.#held.add(held);
    return held;
  }
}

/** A request without an answer. */
interface Held {
  /** Settles it, and answers it if the sender is still connected. */
  readonly answer: () => void;
  /** Cancels the timer that would answer it. */
  cancel: () => void;
}

/** A decision that is settled at most once, at the first call of its plain answer. */
class Settling<F extends object> {
  readonly #decision: Decision<F>;
  #findings: F;
  #answer: PlainAnswer | undefined;

  constructor(decision: Decision<F>) {
    this.#decision = decision;
    this.#findings = decision.findings;
  }

  get takes(): boolean {
    return this.#decision.takes;
  }

  /** The present findings. */
  get findings(): F {
    return this.#findings;
  }

  readonly plain = (): PlainAnswer => {
    if (this.#answer !== undefined) return this.#answer;
    const { answer, findings } = this.#decision.settle();
    this.#findings = { ...this.#findings, ...findings };
    return (this.#answer = answer);
  };
}
