/** Every bound of the dispatcher, with its default. Options override single ones. */
export interface Limits {
  /** Deliveries that may wait in one stream (notification, sink, plan). */
  readonly streamDeliveries: number;
  /** Bytes that may wait in one stream, target tables not counted. */
  readonly streamBytes: number;
  /**
   * Bytes that may wait in all streams together, each shared target table counted once. Above it progress and
   * phase changes are dropped; the four kinds that tell how a night went are taken up to twice as much.
   */
  readonly backlogBytes: number;
  /** Requests in flight per sink. */
  readonly requestsPerSink: number;
  /** Requests in flight per origin (scheme, host, port), whatever sinks they come from. */
  readonly requestsPerOrigin: number;
  /** Retries after the first request of a send (the contract: up to 3). */
  readonly retries: number;
  /** Shortest wait before a retry, in milliseconds (the contract: 500 ms to 5 s, exponential). */
  readonly backoffMinMs: number;
  /** Longest wait before a retry, in milliseconds. */
  readonly backoffMaxMs: number;
  /** A receiver's own Retry-After is believed from this… */
  readonly pauseMinMs: number;
  /** …to this. */
  readonly pauseMaxMs: number;
  /** After so long a delivery that tells how a night went is given up. */
  readonly maxAgeMs: number;
  /** After so long an ExecutionProgress or PhaseChange is given up. */
  readonly maxAgeOfProgressMs: number;
}

export const LIMITS: Limits = {
  streamDeliveries: 256,
  streamBytes: 1024 * 1024,
  backlogBytes: 128 * 1024 * 1024,
  requestsPerSink: 16,
  requestsPerOrigin: 64,
  retries: 3,
  backoffMinMs: 500,
  backoffMaxMs: 5_000,
  pauseMinMs: 1_000,
  pauseMaxMs: 15 * 60_000,
  maxAgeMs: 24 * 3_600_000,
  maxAgeOfProgressMs: 3_600_000,
};
