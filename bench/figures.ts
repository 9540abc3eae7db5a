/** A quantile: the value below which this part (0 to 1) of the values lies. Sorts the values in place. */
export function quantile(values: number[], part: number): number {
  values.sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.floor(values.length * part))] ?? NaN;
}

export const median = (values: readonly number[]): number => quantile([...values], 0.5);

/** p50, p99 and the largest, as text. */
export function spread(values: number[], unit: string): string {
  const [p50, p99, max] = [quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)];
  return `p50 ${p50.toFixed(1)}  p99 ${p99.toFixed(1)}  max ${max.toFixed(1)} ${unit}`;
}

/** Whether an aim was met, as text. */
export const aim = (what: string, met: boolean): string => `aim ${what}: ${met ? 'met' : 'MISSED'}`;

/** Rejects when `work` takes longer than `ms`: a benchmark must end. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${what} took more than ${ms / 1000} s`));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
