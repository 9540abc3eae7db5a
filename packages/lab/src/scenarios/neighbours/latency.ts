/** The latency of a series of messages, from the write of a status to the arrival (milliseconds). */
export interface Latency {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  /** Messages that had not arrived at the end of the measurement. They count with the time that they had waited. */
  readonly missing: number;
  /** The p99 of the writes: the time of the control plane, which is not part of the figures above. */
  readonly writeP99: number;
}

export function latencyOf(
  arrived: readonly number[],
  waiting: readonly number[],
  writes: readonly number[],
): Latency {
  const all = [...arrived, ...waiting].sort(ascending);
  return {
    ...{ count: all.length, p50: quantile(all, 0.5), p99: quantile(all, 0.99), missing: waiting.length },
    writeP99: quantile([...writes].sort(ascending), 0.99),
  };
}

const ascending = (a: number, b: number): number => a - b;

/** A quantile (0 to 1) of sorted values; NaN without values. */
const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
