import type { Dispatcher } from 'undici';
import type { Clock } from '@hnotif/core/clock';
import { Body } from './body.ts';
import { failureOf, TransportError } from './failure.ts';
import type { FailureReason, Reply } from '@hnotif/core/requests';

type Controller = Dispatcher.DispatchController;
type IncomingHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/** Informational answers (1xx) before the answer. Thousands would keep the parser busy until the time limit. */
const MOST_INFORMATIONAL = 100;
const TOO_MANY_ANNOUNCEMENTS = `the receiver announced its answer more than ${MOST_INFORMATIONAL} times (1xx) and gave none`;

/**
 * One request and its answer, from undici's events. It settles once. After the status has arrived the receiver has decided: an error
 * in the body makes the answer `truncated`, not failed.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #origin: string;
  readonly #mayStart: () => boolean;
  /** Resolves when it has settled. */
  readonly reply: Promise<Reply>;
  #settle: (reply: Reply) => void = () => undefined;
  #cancelLimit: () => void = () => undefined;
  #settled = false;
  #started = false;
  #controller: Controller | undefined;
  #informational = 0;
  #status = 0;
  #headers: Record<string, string> = {};
  #body = new Body();
  #onSettled: (() => void) | undefined;
  /** True until the peer is known. */
  #hidden = true;

  /** `mayStart` is called right before the request is sent: it may have waited for a connection. */
  constructor(origin: string, mayStart: () => boolean) {
    this.#origin = origin;
    this.#mayStart = mayStart;
    this.reply = new Promise((resolve) => (this.#settle = resolve));
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Whether any byte of the request may have been sent. */
  get started(): boolean {
    return this.#started;
  }

  /** Ends it after this time. */
  limit(clock: Clock, ms: number): void {
    this.#cancelLimit = afterReading(clock, ms, () => {
      this.stop('TimedOut');
    });
  }

  endLimit(): void {
    this.#cancelLimit();
  }

  /** The answer of a peer at a private address is `hidden`. */
  setPeer({ isPublic }: { readonly isPublic: boolean }): void {
    this.#hidden = !isPublic;
  }

  whenSettled(run: () => void): void {
    this.#onSettled = run;
  }

  /** The request failed before there was a connection. */
  fail(error: unknown): void {
    this.#finish(failureOf(error, this.#started, this.#origin));
  }

  /** Ends the request. It settles at once, even while it waits for a connection. */
  stop(reason: FailureReason): void {
    if (this.#settled) return;
    // No connection in time is another failure than a silent receiver.
    const error = new TransportError(reason === 'TimedOut' && !this.#started ? 'ConnectTimeout' : reason);
    this.onResponseError(undefined, error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Controller): void {
    // Stopped while it waited for a connection. After this error the next request can use the connection.
    if (this.#settled || !this.#mayStart()) throw new TransportError('Aborted');
    this.#started = true;
    this.#controller = controller;
  }

  onResponseStart(controller: Controller, status: number, headers: IncomingHeaders): void {
    // 1xx announces an answer (RFC 9110 section 15.2).
    if (status < 200) {
      if (++this.#informational > MOST_INFORMATIONAL)
        controller.abort(new TransportError('BadAnswer', TOO_MANY_ANNOUNCEMENTS));
      return;
    }
    this.#status = status;
    for (const name in headers) {
      const value = headers[name];
      if (value !== undefined) this.#headers[name] = Array.isArray(value) ? value.join(', ') : value;
    }
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#body.add(chunk)) return;
    this.#answer(true);
    controller.abort(new TransportError('Aborted'));
  }

  onResponseEnd(): void {
    this.#answer(false);
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#status > 0) this.#answer(true);
    else this.#finish(failureOf(error, this.#started, this.#origin));
  }

  #answer(truncated: boolean): void {
    const body = this.#body.toString();
    const hidden = this.#hidden;
    this.#finish({ kind: 'answer', status: this.#status, headers: this.#headers, body, truncated, hidden });
  }

  #finish(reply: Reply): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#cancelLimit();
    this.#body = new Body();
    this.#settle(reply);
    this.#onSettled?.();
  }
}

/**
 * Runs after a time, and not before answers that have arrived are read. A process that was paused, or had no CPU, would otherwise
 * drop answers that wait in its sockets, and send the messages again.
 */
function afterReading(clock: Clock, ms: number, run: () => void): () => void {
  let cancel = clock.after(ms, () => {
    // The event loop runs it after it has read its sockets.
    const soon = setImmediate(run);
    cancel = () => {
      clearImmediate(soon);
    };
  });
  return () => {
    cancel();
  };
}
