import { hash } from 'node:crypto';
import { WOKEN } from '../clock.ts';
import type { TokenRequest } from '../fair/token-bucket.ts';
import { sinkKey, type SinkAddress } from '../resources/sink-address.ts';

/** A token bucket that a sink needs. */
export interface Rate {
  /** Sinks with the same key share the bucket. Never a credential: a hash of it. */
  readonly key: string;
  /** Tokens that are added per second. */
  readonly perSecond: number;
  /** The capacity: requests that may be sent at once after a pause. */
  readonly burst: number;
}

/** The slots of requests in flight, to an origin and in all, which namespaces share. */
export interface Slots {
  /** True: a slot is held. False: there is no limit any more, because no delivery is sent any more. */
  acquire(origin: string, namespace: string): Promise<boolean>;
  release(origin: string, namespace: string): void;
}

/** The limits of the requests of all sinks. */
export interface RateLimits {
  /** Default: no limit. */
  readonly slots?: Slots | undefined;
  /**
   * Takes one token from each bucket, or none. In the queue messages come before updates, but one in four is an update. Owners take
   * turns, and so do the sinks of one owner; the requests of one sink are served in order. The first rate is the sink's own. True: the
   * tokens were taken. False: the signal has aborted.
   */
  take(rates: readonly Rate[], asker: TokenRequest): boolean | Promise<boolean>;
  /** Returns tokens of a request that was not made. */
  giveBack(rates: readonly Rate[]): void;
  /** The receiver asked for a pause: the bucket gives nothing for `ms`, then one token and more at its rate. */
  pause(key: string, ms: number): void;
}

/** Takes tokens that are free, without a place in the queue. */
export function takeFree(
  rateLimits: RateLimits,
  rates: readonly Rate[],
  asker: Omit<TokenRequest, 'signal'>,
): boolean | Promise<boolean> {
  const wait = new AbortController();
  const taken = rateLimits.take(rates, { ...asker, signal: wait.signal });
  wait.abort(WOKEN);
  return taken;
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
