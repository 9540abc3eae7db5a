/**
 * What became of one attempt to deliver, as typed data. `reason` is a CamelCase word for metrics and conditions;
 * `message` tells a human what happened and what to do, and never holds a credential.
 */
export type Outcome =
  | { readonly kind: 'delivered'; readonly status: number }
  /**
   * This request did its part; the delivery goes on with another one, for which tokens are taken anew. `anew`: something was
   * achieved, and the next request has retries of its own; else it has those that are left.
   */
  | { readonly kind: 'continue'; readonly anew: boolean }
  /**
   * No request was made: it is not time for it. The delivery comes again after `forMs`, and nothing is counted. `why`: what it waits
   * for, where that is not the receiver's doing.
   */
  | {
      readonly kind: 'wait';
      readonly forMs: number;
      readonly why?: Readonly<Record<'reason' | 'message', string>>;
    }
  /** The receiver asked for a pause; `retryAfterMs` where it said how long. */
  | {
      readonly kind: 'throttled';
      readonly reason: string;
      readonly message: string;
      readonly retryAfterMs: number | undefined;
    }
  /** May pass: network errors before anything was written, 408, 425, most 5xx. */
  | { readonly kind: 'transient'; readonly reason: string; readonly message: string }
  /** The receiver may or may not have it: time-out or reset after writing, 502, 504. Retried with the same id. */
  | { readonly kind: 'ambiguous'; readonly reason: string; readonly message: string }
  /** This message will never be taken; the next one may. */
  | { readonly kind: 'rejected-payload'; readonly reason: string; readonly message: string }
  /** No message will be taken until somebody mends the configuration. */
  | { readonly kind: 'rejected-configuration'; readonly reason: string; readonly message: string }
  /** Our own signal ended the attempt (stop or fencing). */
  | { readonly kind: 'aborted'; readonly reason: string; readonly message: string };
