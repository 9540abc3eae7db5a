import { PAUSES, type RetryLimits } from '@hnotif/core/sinks';

/** The limits of the dispatcher. Options override single ones. */
export interface Limits extends RetryLimits {
  /** Deliveries in one stream (notification, sink, plan). */
  readonly streamDeliveries: number;
  /** Bytes in one stream, without target tables. */
  readonly streamBytes: number;
  /**
   * Bytes in one stream while its sink takes messages as fast as they come. Then `streamDeliveries` does not count: thousands of targets
   * that change at once would cost a healthy sink the ends of some.
   */
  readonly swiftStreamBytes: number;
  /**
   * Bytes in all logs. An event counts once, however many sinks it is for. Namespaces share the bytes: one alone gets half. A namespace
   * over its share loses progress and phase changes first, and the ends of runs last.
   */
  readonly backlogBytes: number;
  /** Requests in flight per sink. */
  readonly requestsPerSink: number;
  /** Requests in flight per origin (scheme, host, port), from all sinks. Namespaces share them: one alone gets half. */
  readonly requestsPerOrigin: number;
  /** Requests in flight of the whole process, shared in the same way. Must be below the limit of open files. */
  readonly requests: number;
  /** The wait before the first probe of an open circuit (milliseconds). It doubles each time… */
  readonly probeMinMs: number;
  /** …up to this. */
  readonly probeMaxMs: number;
  /** A delivery fails after this many failed sends while others of its sink arrive. */
  readonly sends: number;
  /** `pauseMinMs` doubles with each pause in a row without an arrival, up to this (milliseconds). */
  readonly pauseMinInARowMs: number;
  /** How long a delivery may wait (milliseconds)… */
  readonly maxAgeMs: number;
  /** …and an ExecutionProgress or PhaseChange. */
  readonly maxAgeOfProgressMs: number;
}

export const LIMITS: Limits = {
  ...PAUSES,
  streamDeliveries: 1_024,
  streamBytes: 1024 * 1024,
  swiftStreamBytes: 8 * 1024 * 1024,
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
  pauseMinInARowMs: 60_000,
  maxAgeMs: 24 * 3_600_000,
  maxAgeOfProgressMs: 3_600_000,
};
