import type { IncomingMessage, ServerResponse } from 'node:http';
import type { After } from './timer.ts';
import type { PlainAnswer } from './decision.ts';

/** One request that has been read, and the ways to answer it, correctly or with a fault. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The answer without a fault. The first call settles the request. */
  readonly plain: () => PlainAnswer;
  /** The receiver's wall clock, milliseconds since the epoch. */
  readonly now: () => number;
  /** Runs a function later, unless the connection has ended by then. One at a time. */
  readonly after: (ms: number, run: () => void) => void;
  /** Leaves the request without an answer until `release` or `close` of the receiver. */
  readonly hang: () => void;
  /** Settles and answers the request after this time, or at `release`. The sender may have closed the connection by then. */
  readonly late: (ms?: number) => void;
}

export function sendPlain({ res, plain }: Pick<Exchange, 'res' | 'plain'>): void {
  const { status, headers, body } = plain();
  res.writeHead(status, { 'content-type': 'application/json', ...headers });
  res.end(body);
}

/** An `after` for one response. The end of its connection cancels it. */
export function afterUnlessClosed(res: ServerResponse, after: After): Exchange['after'] {
  let cancel: (() => void) | undefined;
  res.once('close', () => cancel?.());
  return (ms, run) => {
    if (!res.destroyed) cancel = after(ms, run);
  };
}
