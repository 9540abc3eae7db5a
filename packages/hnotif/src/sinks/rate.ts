import { hash } from 'node:crypto';
import type { TokenRequest } from '../fair/token-bucket.ts';
import { sinkKey, type SinkAddress } from '../resources/sink-address.ts';

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
export interface RateLimits {
  /**
   * Takes one token from each bucket, together or not at all. Of those who wait messages come before updates, of which one in four
   * goes all the same; of each rank owners take turns, and an owner's are served in the order in which they came. True once
   * taken: at once, or as a promise. False when the signal has aborted: nothing was taken.
   */
  take(rates: readonly Rate[], asker: TokenRequest): boolean | Promise<boolean>;
  /** Puts tokens back that were taken and not used: no request was made. */
  giveBack(rates: readonly Rate[]): void;
  /** The receiver asked for a pause: the bucket gives nothing for `ms`, then one token and more at its rate. */
  pause(key: string, ms: number): void;
}

/**
 * The key of a bucket for all sinks with the same credential and channel. It is a hash, so it shows neither. JSON, because it is
 * unambiguous.
 */
export const sharedKey = (type: string, ...parts: readonly string[]): string =>
  `${type}:${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)}`;

/** The buckets of a chat's sink: its own, and the one of all sinks with the same credential and channel. */
export const sinkRates = (
  type: string,
  address: SinkAddress,
  { perSecond, burst }: Omit<Rate, 'key'>,
  ...shared: readonly string[]
): readonly Rate[] =>
  [sinkKey(address), sharedKey(type, ...shared)].map((key) => ({ key, perSecond, burst }));
