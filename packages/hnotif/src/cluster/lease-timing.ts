/** The durations of leader election (milliseconds), client-go's by default. */
export interface LeaseTiming {
  /** So long others wait for a leader that is silent. Whole seconds. Longer: a killed leader is followed later. */
  readonly leaseDurationMs: number;
  /** A leader that could not renew for so long leads no more. */
  readonly renewDeadlineMs: number;
  /** Between two renewals, and between two looks of a standby. Shorter costs the API server. */
  readonly retryPeriodMs: number;
}

export const LEASE_TIMING: LeaseTiming = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
};

/** Waits are lengthened by chance up to this factor, so that candidates do not come at once. */
export const RETRY_JITTER = 1.2;

/** What is wrong with the timing, by the names of the flags; undefined when nothing is. */
export function timingFault({
  leaseDurationMs,
  renewDeadlineMs,
  retryPeriodMs,
}: LeaseTiming): string | undefined {
  if (leaseDurationMs < 1000 || leaseDurationMs % 1000 !== 0)
    return '--lease-duration must be whole seconds, at least 1s';
  if (leaseDurationMs <= renewDeadlineMs)
    return '--lease-duration must be longer than --renew-deadline, else two could lead at once';
  if (retryPeriodMs <= 0) return '--retry-period must be above 0';
  if (renewDeadlineMs <= RETRY_JITTER * retryPeriodMs)
    return `--renew-deadline must be longer than ${RETRY_JITTER} times --retry-period, else the Lease would be lost between two renewals`;
  return undefined;
}
