import type { IncomingMessage, ServerResponse } from 'node:http';
import type { After } from './timer.ts';
import type { PlainAnswer } from './verdict.ts';

/** One request that has been read, and the means to answer it well or badly. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The answer without a fault; asking for it settles the request, once. */
  readonly plain: () => PlainAnswer;
  /** The receiver's wall clock, milliseconds since the epoch. */
  readonly now: () => number;
  /** Runs something later, unless the connection has ended by then. One at a time. */
  readonly after: (ms: number, run: () => void) => void;
  /** Leaves the request unanswered until `release` or `close` of the receiver. */
  readonly hang: () => void;
  /** Settles and answers the request after this time, or at `release`. The sender may have closed the connection. */
  readonly late: (ms?: number) => void;
}

export function sendPlain({ res, plain }: Pick<Exchange, 'res' | 'plain'>): void {
  const { status, headers, body } = plain();
  res.writeHead(status, { 'content-type': 'application/json', ...headers });
  res.end(body);
}

/** An `after` for one response: what waits is cancelled when its connection ends. */
export function afterUnlessClosed(res: ServerResponse, after: After): Exchange['after'] {
  let cancel: (() => void) | undefined;
  res.once('close', () => cancel?.());
  return (ms, run) => {
    if (!res.destroyed) cancel = after(ms, run);
  };
}
