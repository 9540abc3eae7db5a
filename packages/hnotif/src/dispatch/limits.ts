/** Every bound of the dispatcher, with its default. Options override single ones. */
export interface Limits {
  /** Deliveries that may wait in one stream (notification, sink, plan). Fewer, and a burst of a plan costs a healthy sink progress. */
  readonly streamDeliveries: number;
  /** Bytes that may wait in one stream, target tables not counted. */
  readonly streamBytes: number;
  /**
   * Bytes that may wait in all logs together: each event counts once, however many sinks it is for. Namespaces share them: one alone
   * gets half. What is over its share loses progress and phase changes first, and the last words of nights last.
   */
  readonly backlogBytes: number;
  /** Requests in flight per sink. */
  readonly requestsPerSink: number;
  /** Requests in flight per origin (scheme, host, port), whatever sinks they come from. Namespaces share them: one alone gets half. */
  readonly requestsPerOrigin: number;
  /** Requests in flight in all, shared in the same way. Keep it below the process's limit of open files. */
  readonly requests: number;
  /** Retries after the first request of a send (the contract: up to 3). */
  readonly retries: number;
  /** Shortest wait before a retry, in milliseconds (the contract: 500 ms to 5 s, exponential). */
  readonly backoffMinMs: number;
  /** Longest wait before a retry, in milliseconds. */
  readonly backoffMaxMs: number;
  /** While a sink's circuit is open one request goes out after so long, in milliseconds, then after twice the time… */
  readonly probeMinMs: number;
  /** …up to this. */
  readonly probeMaxMs: number;
  /** A delivery is given up after so many sends that failed while others of its sink went through. */
  readonly sends: number;
  /** A receiver's own Retry-After is believed from this… */
  readonly pauseMinMs: number;
  /** …or, in a row of pauses between which nothing has arrived, from twice as much each time, up to this… */
  readonly pauseMinInARowMs: number;
  /** …to this. */
  readonly pauseMaxMs: number;
  /** So long after its acceptance a delivery that tells how a night went is given up, in milliseconds. */
  readonly maxAgeMs: number;
  /** …and so long after it an ExecutionProgress or PhaseChange. */
  readonly maxAgeOfProgressMs: number;
}

export const LIMITS: Limits = {
  streamDeliveries: 1_024,
  streamBytes: 1024 * 1024,
  backlogBytes: 64 * 1024 * 1024,
  requestsPerSink: 16,
  requestsPerOrigin: 128,
  requests: 1024,
  retries: 3,
  backoffMinMs: 500,
  backoffMaxMs: 5_000,
  probeMinMs: 30_000,
  probeMaxMs: 10 * 60_000,
  sends: 3,
  pauseMinMs: 1_000,
  pauseMinInARowMs: 60_000,
  pauseMaxMs: 15 * 60_000,
  maxAgeMs: 24 * 3_600_000,
  maxAgeOfProgressMs: 3_600_000,
};
