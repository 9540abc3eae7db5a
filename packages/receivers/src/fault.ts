/** When a sender may try again: after `in` seconds, written as a number or as an HTTP-date (RFC 9110 10.2.3). */
export interface RetryAfter {
  readonly inSeconds: number;
  /** Default `seconds`. A date is computed from the receiver's clock and has whole seconds. */
  readonly as?: 'seconds' | 'date';
}

/** The kinds of faults and their settings. The default of `status` is 200, unless noted. */
export interface FaultSettings {
  /** Answers normally, but `ms` milliseconds late. The message is accepted before the wait. */
  latency: { readonly ms: number };
  /**
   * Answers with a status. A 2xx accepts the message, others do not, unless `accepted` is true (a 429 for a message that was posted all
   * the same occurs in practice).
   */
  status: {
    readonly status: number;
    readonly retryAfter?: RetryAfter;
    readonly headers?: Readonly<Record<string, string>>;
    /** Default `''`. */
    readonly body?: string;
    readonly accepted?: boolean;
  };
  /** Resets the connection when `afterBytes` (default 0: only the head) of the body are read. Never accepts. */
  'reset-before-accept': { readonly afterBytes?: number };
  /** Accepts the message, then resets the connection without an answer. */
  'reset-after-accept': Readonly<Record<never, never>>;
  /** Sends less than its Content-Length, then ends the connection. Accepts by status. */
  'truncated-body': { readonly status?: number; readonly body?: string; readonly missingBytes?: number };
  /** A body of this size in MiB. Accepts by status. */
  'huge-body': { readonly status?: number; readonly mebibytes: number };
  /** An endless body, at the reading speed of the sender. Accepts by status. */
  'endless-body': { readonly status?: number };
  /** Never accepts. `status` is 307 by default, with which a careless client sends the body again. */
  redirect: { readonly location: string; readonly status?: 301 | 302 | 303 | 307 | 308 };
  /** Sends the answer byte by byte, one in `gapMs`: the body, or (`all`) also the head. Accepts by status. */
  'slow-drip': {
    readonly gapMs: number;
    readonly status?: number;
    readonly body?: string;
    readonly part?: 'body' | 'all';
  };
  /** Reads the message and never answers. `accepted` (default false): whether the message was accepted. */
  hang: { readonly accepted?: boolean };
  /**
   * Accepts the message and answers late: after `ms` milliseconds, or without `ms` when the receiver is released. The sender may have
   * disconnected by then: the message is accepted all the same.
   */
  late: { readonly ms?: number };
  /** Bytes that are not HTTP, then the end. Never accepts. */
  garbage: { readonly bytes?: string };
}

export type FaultName = keyof FaultSettings;

/** One fault: `{ kind: 'latency', ms: 200 }`. */
export type Fault<K extends FaultName = FaultName> = { [P in K]: { readonly kind: P } & FaultSettings[P] }[K];
