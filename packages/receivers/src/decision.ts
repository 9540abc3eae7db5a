import type { IncomingHttpHeaders } from 'node:http';
import type { Body } from './body.ts';

/** A request for the handler. */
export interface Request {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** False if the sender closed the connection or a fault cut it. Such a message is not checked. */
  readonly body: Body;
  /** Wall clock, milliseconds since the epoch. */
  readonly arrivedAt: number;
}

/** The receiver's answer without a fault. */
export interface PlainAnswer {
  readonly status: number;
  /** The default of `content-type` is `application/json`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The receiver's decision about one request. */
export interface Decision<F extends object> {
  /** The findings, which its record has besides the common fields. */
  readonly findings: F;
  /** Whether it is a valid message, which the receiver accepts unless a fault prevents it. */
  readonly takes: boolean;
  /**
   * Accepts the message and creates the plain answer. Only here the receiver's state may change. Called at most once: when the request is
   * answered plainly, also late, or when a fault accepts the message. Its findings replace the first findings in the record.
   */
  settle(): { readonly answer: PlainAnswer; readonly findings?: Partial<F> };
}

/** The specific part of a receiver: it decides about each request, in the order in which they are complete. Must not throw. */
export type Handler<F extends object> = (request: Request) => Decision<F>;
