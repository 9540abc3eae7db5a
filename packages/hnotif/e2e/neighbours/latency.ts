/** What a series of messages took from the write of a status to their arrival (milliseconds). */
export interface Latency {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  /** Messages that had not arrived when the measuring ended: they count with the time that they had waited until then. */
  readonly missing: number;
  /** p99 of the writes themselves: the time of the control plane, which is not in the figures above. */
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

/** The value below which so large a part (0 to 1) of sorted values lies; NaN of none. */
const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
