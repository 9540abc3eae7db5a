import type { IncomingMessage, ServerResponse } from 'node:http';
import type { After } from './timer.ts';

/** What the receiver answers when no fault is in the way. */
export interface PlainAnswer {
  readonly status: number;
  readonly accepted: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One request that has been read, and the means to answer it well or badly. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly plain: PlainAnswer;
  /** The receiver's wall clock, milliseconds since the epoch. */
  readonly now: () => number;
  /** Runs something later, unless the connection has ended by then. One at a time. */
  readonly after: (ms: number, run: () => void) => void;
  /** Leaves the request unanswered until the receiver is told to release or close. */
  readonly hang: () => void;
}

export function sendPlain({ res, plain }: Pick<Exchange, 'res' | 'plain'>): void {
  res.writeHead(plain.status, { 'content-type': 'application/json', ...plain.headers });
  res.end(plain.body);
}

/** An `after` for one response: what waits is cancelled when its connection ends. */
export function afterUnlessClosed(res: ServerResponse, after: After): Exchange['after'] {
  let cancel: (() => void) | undefined;
  res.once('close', () => cancel?.());
  return (ms, run) => {
    if (!res.destroyed) cancel = after(ms, run);
  };
}
