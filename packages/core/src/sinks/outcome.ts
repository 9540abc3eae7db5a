/** Why a request or a delivery failed, or waits. */
export interface Cause {
  /** CamelCase, as in metrics and conditions. */
  readonly reason: string;
  /** For a person, without credentials. */
  readonly message: string;
}

/** Calls a function at each change, until the function that it returns is called. */
export type OnChange = (changed: () => void) => () => void;

/**
 * The result of one attempt. `reason` is a CamelCase word for metrics and conditions; `message` says what happened and what to do, and
 * never contains a credential.
 */
export type Outcome =
  | { readonly kind: 'delivered'; readonly status: number }
  /**
   * The delivery needs another request, with new tokens. `anew`: the next request has retries of its own; else it has those that
   * are left.
   */
  | { readonly kind: 'continue'; readonly anew: boolean }
  /**
   * No request was made. The delivery comes again after `forMs`, and nothing is counted. `onChange`: or earlier, when the function that it
   * gets is called; the result ends that. `why`: what it waits for, if that is not the receiver.
   */
  | {
      readonly kind: 'wait';
      readonly forMs: number;
      readonly onChange?: OnChange;
      readonly why?: Cause;
    }
  /** The receiver asked for a pause, of `retryAfterMs` if it said how long. */
  | {
      readonly kind: 'throttled';
      readonly reason: string;
      readonly message: string;
      readonly retryAfterMs: number | undefined;
    }
  /** May pass: network errors before anything was written, 408, 425, most 5xx. */
  | { readonly kind: 'transient'; readonly reason: string; readonly message: string }
  /** The receiver may have the message: time-out or reset after writing, 502, 504. Retried with the same id. */
  | { readonly kind: 'ambiguous'; readonly reason: string; readonly message: string }
  /** The receiver will never take this message. It may take the next one. */
  | { readonly kind: 'rejected-payload'; readonly reason: string; readonly message: string }
  /** The receiver takes no message until the configuration is corrected. */
  | { readonly kind: 'rejected-configuration'; readonly reason: string; readonly message: string }
  /** hnotif ended the attempt (stop or lost leadership). */
  | { readonly kind: 'aborted'; readonly reason: string; readonly message: string };
