/** When a sender may come again: `in` so many seconds, written as a number or as an HTTP-date (RFC 9110 10.2.3). */
export interface RetryAfter {
  readonly inSeconds: number;
  /** Default `seconds`. A date is taken from the receiver's clock and has whole seconds. */
  readonly as?: 'seconds' | 'date';
}

/** What can go wrong, and each fault's settings. `status` is 200 where it is left out, unless said otherwise. */
export interface FaultSettings {
  /** Answers as ever, but `ms` milliseconds late. The message is accepted before the wait. */
  latency: { readonly ms: number };
  /**
   * Answers with a status. A 2xx accepts the message, others do not, unless `accepted` says so (a 429 for a message
   * that was posted all the same has been seen in the field).
   */
  status: {
    readonly status: number;
    readonly retryAfter?: RetryAfter;
    readonly headers?: Readonly<Record<string, string>>;
    /** Default `''`. */
    readonly body?: string;
    readonly accepted?: boolean;
  };
  /** Resets the connection once `afterBytes` (default 0: the head alone) of the body are read. Never accepts. */
  'reset-before-accept': { readonly afterBytes?: number };
  /** Accepts the message, then resets the connection instead of an answer. */
  'reset-after-accept': Readonly<Record<never, never>>;
  /** Promises more by Content-Length than it sends, then ends the connection. Accepts by status. */
  'truncated-body': { readonly status?: number; readonly body?: string; readonly missingBytes?: number };
  /** A body of so many MiB. Accepts by status. */
  'huge-body': { readonly status?: number; readonly mebibytes: number };
  /** A body that never ends, as fast as the sender reads it. Accepts by status. */
  'endless-body': { readonly status?: number };
  /** Never accepts. `status` is 307 by default, which a careless client follows with the body. */
  redirect: { readonly location: string; readonly status?: 301 | 302 | 303 | 307 | 308 };
  /** Sends the answer byte by byte, one each `gapMs`: its body, or (`all`) the head as well. Accepts by status. */
  'slow-drip': {
    readonly gapMs: number;
    readonly status?: number;
    readonly body?: string;
    readonly part?: 'body' | 'all';
  };
  /** Reads the message and never answers; `accepted` (default false) says whether it was taken in. */
  hang: { readonly accepted?: boolean };
  /**
   * Does what is asked and answers late: after `ms` milliseconds, or, without them, when the receiver is told to release. A sender
   * that has hung up by then changes nothing: its message is accepted all the same.
   */
  late: { readonly ms?: number };
  /** Bytes that are not HTTP, then the end. Never accepts. */
  garbage: { readonly bytes?: string };
}

export type FaultName = keyof FaultSettings;

/** One fault: `{ kind: 'latency', ms: 200 }`. */
export type Fault<K extends FaultName = FaultName> = { [P in K]: { readonly kind: P } & FaultSettings[P] }[K];
