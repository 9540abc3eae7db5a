import type { IncomingHttpHeaders } from 'node:http';
import type { Body } from './body.ts';

/** A request as it is judged. */
export interface Request {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Not complete if the sender closed the connection or a fault cut it. Such a message is not checked. */
  readonly body: Body;
  /** Wall clock, milliseconds since the epoch. */
  readonly arrivedAt: number;
}

/** What the receiver answers when no fault is in the way. */
export interface PlainAnswer {
  readonly status: number;
  /** `content-type` is `application/json` unless it is here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a receiver makes of one request. */
export interface Verdict<F extends object> {
  /** What its record says besides what every record says. */
  readonly findings: F;
  /** Whether it is a message in order, which the receiver takes in unless a fault prevents it. */
  readonly takes: boolean;
  /**
   * Takes the message in (here, and only here, what the receiver holds may change) and makes the plain answer. Called
   * at most once: when the request is answered plainly, be it late, or when a fault accepts the message. What it finds
   * goes over the first findings in the record.
   */
  settle(): { readonly answer: PlainAnswer; readonly findings?: Partial<F> };
}

/** A receiver's own part: it judges each request, in the order in which they are complete. Must not throw. */
export type Judge<F extends object> = (request: Request) => Verdict<F>;
