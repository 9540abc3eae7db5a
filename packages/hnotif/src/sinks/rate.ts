/** A token bucket as a sink asks for it. */
export interface Rate {
  /** Which bucket; never a credential (a hash where it depends on one). Those who name the same one share it. */
  readonly key: string;
  /** Tokens that come back in a second. */
  readonly perSecond: number;
  /** Tokens at most at hand: requests that may go out at once after a quiet time. */
  readonly burst: number;
}

/** Gives out the right to make requests. */
export interface Permits {
  /**
   * Takes one token from each bucket, together or not at all; those who wait are served in the order in which they came.
   * True once taken: at once, or as a promise. False when `signal` has aborted: nothing was taken.
   */
  take(rates: readonly Rate[], signal: AbortSignal): boolean | Promise<boolean>;
}
